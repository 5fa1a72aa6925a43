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

    id: Uuid
    state: State
    created_at: Timestamp | None
    started_at: Timestamp | None
    ended_at: Timestamp | None
    nominal_start_time: Timestamp | None
    nominal_end_time: Timestamp | None
    launches: int | None
    reason: str | None
    error: str | None
    parent_run_id: str | None
    rerun_of: str | None
    rerun_policy: str | None
    only: tuple[str, ...]


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

    version: Uuid | None
    hash: str
    structure_hash: str | None
    code_hash: str | None
    created_at: Timestamp | None
    file: str | None
    files: list[SourceFileAnswer]
    archived: bool
    git: GitAnswer | None


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

    path: str
    name: str
    type: str
    parent: str | None
    after: tuple[str, ...]
    state: str
    run_id: str | None
    attempts: int | None
    started_at: Timestamp | None
    ended_at: Timestamp | None
    reason: str | None
    error: str | None
    added_by_run: Annotated[
        bool, about("A task of the run put it behind itself, with `values` of its own.")
    ]
    removed_since: Annotated[bool, about("The version of today no longer has it.")]
    values: dict[str, Any]
    settings: dict[str, Any]
    inputs: list[DataAsWasAnswer]
    outputs: list[DataAsWasAnswer]


class AsWasAnswer(AnswerStruct):
    """A run as it was, or a pipeline at the time `at`: then there is no run."""

    job: JobAsWasAnswer
    run: RunAsWasAnswer | None
    at: Timestamp | None
    since: Timestamp | None
    until: Timestamp | None
    latest_run: str | None
    version: VersionAsWasAnswer | None
    description: str | None
    start_date: Timestamp | None
    end_date: Timestamp | None
    args: dict[str, Any]
    variables: dict[str, Any]
    emitted: dict[str, Any]
    cost: dict[str, Any]
    spark: dict[str, str]
    environment: EnvironmentAsWas | None
    tasks: list[TaskAsWasAnswer]
    inputs: list[DataAsWasAnswer]
    outputs: list[DataAsWasAnswer]
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
