"""The versions of a job: when each was active, its runs and its changes."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.change import Change
from lineagegraph.model.names.named_values import list_changed
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.definition_diff import PartDiff, PipelineDiff, diff_pipelines
from lineagegraph.model.typed import decode_json
from lineagegraph.store.jobs.job_versions import (
    ContentRow,
    HistoryRow,
    Period,
    list_contents,
    list_history,
)

_LISTED = 4


class VersionInHistory(msgspec.Struct, frozen=True):
    """A version of a job; `news` describes its difference from the previous version."""

    version: str  # hash of the version
    created_at: datetime | None  # time at which it was first seen
    periods: tuple[Period, ...]  # periods in which it was active
    is_current: bool  # whether it is active now
    runs: int  # runs of this version
    last_run_at: datetime | None  # start of the newest of these
    file: str | None  # definition file, relative to its project
    git_commit: str | None  # commit of the project
    git_branch: str | None  # branch of the project
    git_dirty: bool | None  # whether files differed from the commit
    news: tuple[str, ...]  # differences from the version before, in words
    covers: str | None  # what its code hash covers; None if unknown


def read_versions(graph: Graph, job_key: str, limit: int = 20) -> list[VersionInHistory]:
    """Return the versions of a job, the latest active one first."""
    return graph.read(_read_history, job_key, limit)


def _read_history(tx: Transaction, job_key: str, limit: int) -> list[VersionInHistory]:
    rows = list_history(tx, key=job_key, limit=limit)
    known: dict[str, HistoryRow | ContentRow] = {row.version: row for row in rows}
    others = {row.before for row in rows if row.before} - known.keys()
    known |= {row.version: row for row in list_contents(tx, hashes=sorted(others))}
    return [_in_history(row, known.get(row.before or "")) for row in rows]


def _in_history(row: HistoryRow, before: HistoryRow | ContentRow | None) -> VersionInHistory:
    return VersionInHistory(
        row.version,
        row.created_at,
        row.periods,
        row.is_current,
        row.runs,
        row.last_run_at,
        row.file,
        row.git_commit,
        row.git_branch,
        row.git_dirty,
        tuple(_changes(row, before)),
        row.covers,
    )


def _changes(row: HistoryRow, before: HistoryRow | ContentRow | None) -> Iterator[str]:
    if row.definition is None:
        yield "known from its runs"
    elif before is None or before.definition is None:
        yield "the first known version"
    else:
        old, new = (
            decode_json(text, into=Pipeline) for text in (before.definition, row.definition)
        )
        yield from describe_diff(diff_pipelines(old, new))
        if row.code_hash != before.code_hash:
            files = _changed_files(row, before)
            yield f"code of {_listed(files)}" if files else "code"


def describe_diff(found: PipelineDiff) -> Iterator[str]:
    """Yield the differences between two pipelines, as text."""
    for what, parts in (
        ("task", found.tasks),
        ("parameter", found.parameters),
        ("trigger", found.triggers),
    ):
        yield from _describe_parts(what, parts)
    ends = {part.name for part in found.tasks if part.change is not Change.CHANGED}
    moved = [f"{e.first} → {e.then}" for e in found.edges if not {e.first, e.then} & ends]
    if moved:
        yield f"order of {_listed(moved)}"
    if found.settings:
        yield _listed([field.name for field in found.settings])


def _describe_parts(what: str, parts: Sequence[PartDiff]) -> Iterator[str]:
    for change, word in (
        (Change.ADDED, "new"),
        (Change.REMOVED, "no"),
        (Change.CHANGED, "changed"),
    ):
        names = [_named(part) for part in parts if part.change is change]
        if names:
            yield f"{word} {what}{'s' if len(names) > 1 else ''} {_listed(names)}"


def _named(part: PartDiff) -> str:
    fields = ", ".join(field.name for field in part.fields)
    return f"{part.name} ({fields})" if fields else part.name


def _changed_files(row: HistoryRow, before: HistoryRow | ContentRow) -> list[str]:
    old, new = (dict(zip(one.files, one.file_hashes, strict=False)) for one in (before, row))
    return [one.name for one in list_changed(old, new)]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
