"""Differences between runs and versions as answers."""

from collections.abc import Iterable
from typing import Annotated, Literal

from lineagegraph.http.marquez.as_was_answers import JobAsWasAnswer
from lineagegraph.http.marquez.run_answers import State, run_state
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, Uuid, about, answer_from
from lineagegraph.model.change import Change
from lineagegraph.model.pipelines.definition_diff import FieldDiff, PartDiff
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.versions.run_diff import ComparedRun, ParameterDiff, RunDiff
from lineagegraph.queries.versions.use_diff import Used, UseDiff
from lineagegraph.queries.versions.version_diff import ComparedVersion, FileDiff, VersionDiff
from lineagegraph.store.jobs.details import Named


class ComparedVersionAnswer(AnswerStruct):
    """A version in a comparison."""

    version: Uuid | None
    hash: str
    job: JobAsWasAnswer
    created_at: Timestamp | None
    file: str | None


class EdgeDiffAnswer(AnswerStruct):
    """Two tasks, by their paths, that one comes before the other."""

    before: str
    after: str
    change: Change


class FileStateAnswer(AnswerStruct):
    """A file on one side of a comparison."""

    sha256: str
    size: int | None


class FileDiffAnswer(AnswerStruct):
    """A file that came, went or changed."""

    path: str
    change: Change
    before: FileStateAnswer | None
    after: FileStateAnswer | None
    lines: Annotated[
        tuple[str, ...], about("A unified diff; none of a file that is not text or very long.")
    ]


class PartDiffAnswer(AnswerStruct):
    """A task by its path, or a parameter or trigger by its name."""

    name: str
    change: Change
    fields: tuple[FieldDiff, ...]


class VersionDiffAnswer(AnswerStruct):
    """Differences between two versions; all empty if they state the same."""

    before: Annotated[ComparedVersionAnswer, about("The first version.")]
    after: Annotated[ComparedVersionAnswer, about("The second version.")]
    tasks: Annotated[list[PartDiffAnswer], about("Tasks that were added, removed or changed.")]
    edges: Annotated[list[EdgeDiffAnswer], about("Orders of two tasks that were added or removed.")]
    parameters: Annotated[
        list[PartDiffAnswer], about("Parameters that were added, removed or changed.")
    ]
    settings: Annotated[tuple[FieldDiff, ...], about("Settings of the pipeline that differ.")]
    triggers: Annotated[
        list[PartDiffAnswer], about("Triggers that were added, removed or changed.")
    ]
    files: Annotated[list[FileDiffAnswer], about("Files that were added, removed or changed.")]
    missing: Annotated[tuple[str, ...], about("Parts that could not be compared, in words.")]


class RunSummaryAnswer(AnswerStruct):
    """A run in a comparison."""

    id: Uuid
    job: Named
    state: State
    started_at: Timestamp | None
    ended_at: Timestamp | None
    duration_ms: int | None
    job_version: Uuid | None


class UsedDatasetAnswer(AnswerStruct):
    """How a run and those below it used a dataset, as far as it is known."""

    versions: list[Uuid]
    row_count: int | None
    size: int | None
    file_count: int | None


class ColumnDiffAnswer(AnswerStruct):
    """A column that differs, with its types."""

    name: str
    change: Literal["ADDED", "REMOVED", "CHANGED"]
    before: str | None
    after: str | None


class UseDiffAnswer(AnswerStruct):
    """A dataset that one of two runs used, or both."""

    namespace: str
    name: str
    change: Annotated[
        Change,
        about(
            "An input is CHANGED by another version, other counts or columns; an output, whose "
            "version is always its own, by the last two."
        ),
    ]
    before: UsedDatasetAnswer | None
    after: UsedDatasetAnswer | None
    columns: Annotated[list[ColumnDiffAnswer], about("Only those that differ.")]


class RunDiffAnswer(AnswerStruct):
    """Differences between two runs; those below a run count as it."""

    before: Annotated[RunSummaryAnswer, about("The first run.")]
    after: Annotated[RunSummaryAnswer, about("The second run.")]
    changed: Annotated[
        list[Literal["job", "state", "jobVersion"]], about("The fields of these that differ.")
    ]
    duration_change_ms: Annotated[
        int | None, about("Milliseconds that the second took longer; null if either has not ended.")
    ]
    args: Annotated[tuple[ParameterDiff, ...], about("Parameters that differ.")]
    returned: Annotated[
        tuple[ParameterDiff, ...],
        about("Values that tasks returned and that differ, by task, with secrets masked."),
    ]
    inputs: Annotated[list[UseDiffAnswer], about("Datasets that either run read from outside it.")]
    outputs: Annotated[list[UseDiffAnswer], about("Datasets that either wrote.")]
    truncated: Annotated[bool, about("Whether a run has more runs below it than are compared.")]
    definition: Annotated[
        VersionDiffAnswer | None,
        about("Differences between the versions that they ran, where both have a definition here."),
    ]


_FIELDS: dict[str, Literal["job", "state", "jobVersion"]] = {
    "job": "job",
    "state": "state",
    "version": "jobVersion",
}


def run_diff_answer(found: RunDiff) -> RunDiffAnswer:
    """Return the differences between two runs."""
    return RunDiffAnswer(
        before=_run(found.before),
        after=_run(found.after),
        changed=[_FIELDS[name] for name in found.changed],
        duration_change_ms=found.duration_change_ms,
        args=found.parameters,
        returned=found.values,
        inputs=[_use(use) for use in found.inputs],
        outputs=[_use(use) for use in found.outputs],
        truncated=found.cut,
        definition=version_diff_answer(found.versions) if found.versions else None,
    )


def version_diff_answer(found: VersionDiff) -> VersionDiffAnswer:
    """Return the differences between two versions."""
    stated = found.definition
    return VersionDiffAnswer(
        before=_version(found.before),
        after=_version(found.after),
        tasks=_parts(stated.tasks),
        edges=[EdgeDiffAnswer(edge.first, edge.then, edge.change) for edge in stated.edges],
        parameters=_parts(stated.parameters),
        settings=stated.settings,
        triggers=_parts(stated.triggers),
        files=[_file(file) for file in found.files],
        missing=found.missing,
    )


def _run(run: ComparedRun) -> RunSummaryAnswer:
    return answer_from(
        RunSummaryAnswer,
        run,
        job=Named(run.namespace, run.name),
        state=run_state(run.state),
        job_version=uuid_of(run.version),
    )


def _use(use: UseDiff) -> UseDiffAnswer:
    columns = [answer_from(ColumnDiffAnswer, one) for one in use.columns]
    before, after = _used(use.before), _used(use.after)
    return answer_from(UseDiffAnswer, use, before=before, after=after, columns=columns)


def _used(used: Used | None) -> UsedDatasetAnswer | None:
    if used is None:
        return None
    versions = [uuid_of(version) for version in used.versions]
    return answer_from(UsedDatasetAnswer, used, versions=versions)


def _parts(parts: Iterable[PartDiff]) -> list[PartDiffAnswer]:
    return [answer_from(PartDiffAnswer, part) for part in parts]


def _version(one: ComparedVersion) -> ComparedVersionAnswer:
    return ComparedVersionAnswer(
        version=uuid_of(one.version),
        hash=one.version,
        job=JobAsWasAnswer(one.namespace, one.job),
        created_at=one.created_at,
        file=one.file,
    )


def _file(file: FileDiff) -> FileDiffAnswer:
    return FileDiffAnswer(
        path=file.path,
        change=file.change,
        before=FileStateAnswer(file.before, file.before_size) if file.before else None,
        after=FileStateAnswer(file.after, file.after_size) if file.after else None,
        lines=file.lines,
    )
