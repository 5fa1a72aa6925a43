"""Runs and pipelines as they were, as answers."""

from typing import Annotated, Any

from lineagegraph.http.marquez.run_answers import State, run_state
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, Uuid, about, answer_from
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.versions.as_was import AsWas, EnvironmentAsWas
from lineagegraph.queries.versions.tasks_as_was import NOT_RUN, DataAsWas, TaskAsWas
from lineagegraph.store.runs.as_was import ThenRun, ThenVersion


class JobAsWasAnswer(AnswerStruct):
    """The job of a run; an own pipeline without a namespace has null."""

    namespace: str | None
    name: str


class RunAsWasAnswer(AnswerStruct):
    """A run as it was."""

    id: Annotated[Uuid, about("Id of the run.")]
    state: Annotated[State, about("Its state in Marquez's words.")]
    created_at: Annotated[
        Timestamp | None, about("Time at which it was queued or first reported; null if unknown.")
    ]
    started_at: Annotated[Timestamp | None, about("Its start; null before it.")]
    ended_at: Annotated[Timestamp | None, about("Its end; null before it.")]
    nominal_start_time: Annotated[
        Timestamp | None, about("Start of its data interval; null without one.")
    ]
    nominal_end_time: Annotated[
        Timestamp | None, about("End of its data interval; null without one.")
    ]
    launches: Annotated[
        int | None, about("Times that a worker took it; null for runs of other producers.")
    ]
    reason: Annotated[str | None, about("Reason of its state, such as LOST; null without one.")]
    error: Annotated[str | None, about("Error of a failed run; null without one.")]
    parent_run_id: Annotated[str | None, about("Run above it; null at the top.")]
    rerun_of: Annotated[str | None, about("Run that it repeats; null if it is no rerun.")]
    rerun_policy: Annotated[
        str | None, about("as_was, latest or pinned: with a hash; null if it is no rerun.")
    ]
    only: Annotated[tuple[str, ...], about("Paths of the requested tasks; empty for all.")]


class SourceFileAnswer(AnswerStruct):
    """A file that a version was built from."""

    path: str
    sha256: str | None


class GitAnswer(AnswerStruct):
    """The state of the repository."""

    commit: str
    branch: str | None
    dirty: bool | None
    remote: str | None


class VersionAsWasAnswer(AnswerStruct):
    """A version of a pipeline."""

    version: Annotated[Uuid | None, about("The hash as a UUID, which Marquez's clients expect.")]
    hash: Annotated[str, about("Hash of the version.")]
    structure_hash: Annotated[
        str | None, about("Hash of the tasks, edges, parameters and settings; null if unknown.")
    ]
    code_hash: Annotated[str | None, about("Hash of the code alone; null if unknown.")]
    covers: Annotated[
        str | None,
        about("`own closure`, or why the code hash covers whole files; null if unknown."),
    ]
    created_at: Annotated[Timestamp | None, about("Time at which it was stored; null if unknown.")]
    file: Annotated[str | None, about("Definition file, relative to its project; null if unknown.")]
    files: Annotated[list[SourceFileAnswer], about("Files that it was built from.")]
    archived: Annotated[bool, about("Whether these files are still stored.")]
    git: Annotated[GitAnswer | None, about("State of the project's repository; null without one.")]


class DataAsWasAnswer(AnswerStruct):
    """A dataset at the version that was read or written, and the run that wrote that."""

    namespace: str
    name: str
    version: str | None
    written_by: str | None
    row_count: int | None
    size: int | None


class TaskAsWasAnswer(AnswerStruct):
    """A task, or a run below it of other producers. NOT_RUN: the run did not run it."""

    path: Annotated[str, about("Names of the groups around it and its own, with dots between.")]
    name: Annotated[str, about("Last part of the path.")]
    type: Annotated[
        str,
        about("Kind of the task, such as python or group; of a run below, the kind of its job."),
    ]
    parent: Annotated[str | None, about("Path of the group or run around it; null at the top.")]
    after: Annotated[tuple[str, ...], about("Paths of its predecessors.")]
    state: Annotated[str, about("State of its run in Marquez's words, or NOT_RUN.")]
    run_id: Annotated[str | None, about("Its run; null if it was not run.")]
    attempts: Annotated[
        int | None, about("Number of the run's last attempt, from 1; null if not reported.")
    ]
    started_at: Annotated[Timestamp | None, about("Start of its run; null before it.")]
    ended_at: Annotated[Timestamp | None, about("End of its run; null before it.")]
    reason: Annotated[str | None, about("Reason of the run's state; null without one.")]
    error: Annotated[str | None, about("Error of its run; null without one.")]
    added_by_run: Annotated[
        bool, about("A task of the run put it behind itself, with `values` of its own.")
    ]
    removed_since: Annotated[bool, about("The version of today no longer has it.")]
    values: Annotated[dict[str, Any], about("Values of an added task, by name; empty for others.")]
    settings: Annotated[dict[str, Any], about("Its options that are set, by name.")]
    inputs: Annotated[
        list[DataAsWasAnswer], about("Data that it read, without data that it wrote.")
    ]
    outputs: Annotated[list[DataAsWasAnswer], about("Data that it wrote.")]


class AsWasAnswer(AnswerStruct):
    """A run as it was, or a pipeline at the time `at`: then there is no run."""

    job: Annotated[JobAsWasAnswer, about("The job.")]
    run: Annotated[RunAsWasAnswer | None, about("The run; null for a pipeline at a time.")]
    at: Annotated[Timestamp | None, about("Time of the view; null for a run.")]
    since: Annotated[
        Timestamp | None, about("Start of the version's period at that time; null for a run.")
    ]
    until: Annotated[
        Timestamp | None, about("End of that period; null if it still holds, and for a run.")
    ]
    latest_run: Annotated[
        str | None, about("Newest run at that time; null without one, and for a run.")
    ]
    version: Annotated[
        VersionAsWasAnswer | None,
        about("Version that ran or was active; null if it is not stored."),
    ]
    description: Annotated[
        str | None, about("Description of the pipeline in that version; null without one.")
    ]
    start_date: Annotated[
        Timestamp | None, about("First time at which its schedules count; null for no limit.")
    ]
    end_date: Annotated[
        Timestamp | None, about("Last time at which its schedules count; null for no limit.")
    ]
    args: Annotated[dict[str, Any], about("Parameters of the run, or the defaults at the time.")]
    variables: Annotated[dict[str, Any], about("Variables that the run read, by name.")]
    emitted: Annotated[dict[str, Any], about("Values that the run emitted, by name.")]
    cost: Annotated[
        dict[str, Any],
        about(
            "Spark's share of the run: seconds, executor seconds, core seconds and applications."
        ),
    ]
    spark: Annotated[dict[str, str], about("Spark configuration of the version.")]
    environment: Annotated[
        EnvironmentAsWas | None,
        about("Python and packages of the run; null if they were not recorded."),
    ]
    tasks: Annotated[list[TaskAsWasAnswer], about("Tasks in order of dependency.")]
    inputs: Annotated[list[DataAsWasAnswer], about("Data that the run read from outside it.")]
    outputs: Annotated[list[DataAsWasAnswer], about("Data that the run wrote.")]
    missing: Annotated[tuple[str, ...], about("Facts that are no longer known, in words.")]


def as_was_answer(found: AsWas) -> AsWasAnswer:
    """Return a run, or a pipeline at a time, as it was."""
    return answer_from(
        AsWasAnswer,
        found,
        job=JobAsWasAnswer(found.namespace, found.job),
        run=_run(found.run) if found.run else None,
        latest_run=found.run_then,
        version=_version(found.version) if found.version else None,
        args=found.params,
        tasks=[_task(task) for task in found.tasks],
        inputs=[_data(use) for use in found.inputs],
        outputs=[_data(use) for use in found.outputs],
    )


def _run(run: ThenRun) -> RunAsWasAnswer:
    return answer_from(
        RunAsWasAnswer,
        run,
        state=run_state(run.state),
        nominal_start_time=run.nominal_start,
        nominal_end_time=run.nominal_end,
        parent_run_id=run.parent,
    )


def _version(version: ThenVersion) -> VersionAsWasAnswer:
    hashes = dict(zip(version.files, version.file_hashes, strict=False))
    return answer_from(
        VersionAsWasAnswer,
        version,
        version=uuid_of(version.hash),
        files=[SourceFileAnswer(path, hashes.get(path)) for path in version.files],
        archived=version.is_kept,
        git=_git(version),
    )


def _git(version: ThenVersion) -> GitAnswer | None:
    if not version.git_commit:
        return None
    return GitAnswer(version.git_commit, version.git_branch, version.git_dirty, version.git_remote)


def _task(task: TaskAsWas) -> TaskAsWasAnswer:
    return answer_from(
        TaskAsWasAnswer,
        task,
        type=task.runs,
        state=NOT_RUN if task.state == NOT_RUN else run_state(task.state),
        run_id=task.run,
        added_by_run=task.is_added,
        removed_since=task.is_removed,
        inputs=[_data(use) for use in task.reads],
        outputs=[_data(use) for use in task.writes],
    )


def _data(use: DataAsWas) -> DataAsWasAnswer:
    version = uuid_of(use.version)
    return answer_from(DataAsWasAnswer, use, version=version, written_by=use.writer)
