"""The differences between two runs: states, parameters, values and data."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.named_values import list_changed, values_of
from lineagegraph.model.runs.values import TaskValue, read_value, shown_value
from lineagegraph.queries.lineage.dataset_versions import read_columns
from lineagegraph.queries.runs.run_details import RunDetail, duration_ms, list_runs
from lineagegraph.queries.versions.use_diff import UseDiff, diff_uses, sum_up
from lineagegraph.queries.versions.version_diff import VersionDiff, diff_versions
from lineagegraph.settings import Settings
from lineagegraph.store.datasets.dataset_versions import list_versions
from lineagegraph.store.datasets.names import shown_names
from lineagegraph.store.jobs.details import RunUseRow, list_reads, list_writes
from lineagegraph.store.lineage.run_lineage import list_below
from lineagegraph.store.runs.history import list_outputs

# Runs below a run, with itself.
MOST_COMPARED = 20_000


class ComparedRun(msgspec.Struct, frozen=True):
    """A run; `name` is the FQN of its job, `version` the hash of the version that it ran."""

    id: str  # id of the run
    namespace: str  # namespace of its job
    name: str  # full name of its job
    state: str  # its state
    started_at: datetime | None  # its start
    ended_at: datetime | None  # its end
    duration_ms: int | None  # milliseconds from start to end; None while it runs
    version: str | None  # hash of the version that it ran


class ParameterDiff(msgspec.Struct, frozen=True):
    """A parameter or a task with different values; None for a run without one."""

    name: str
    before: Any
    after: Any


class RunDiff(msgspec.Struct, frozen=True):
    """Two runs, the names of their differing attributes, and their parameters and data.

    The descendants of a run count as the run: inputs are data written outside it. `versions` is set
    if they ran two versions that have definitions here.
    """

    before: ComparedRun  # the first run
    after: ComparedRun  # the second run
    changed: tuple[str, ...]  # names of the attributes that differ
    duration_change_ms: int | None  # milliseconds that the second took longer
    parameters: tuple[ParameterDiff, ...]  # parameters that differ
    values: tuple[ParameterDiff, ...]  # returned values that differ, by task, without secrets
    inputs: tuple[UseDiff, ...]  # datasets that either run read from outside it
    outputs: tuple[UseDiff, ...]  # datasets that either run wrote
    cut: bool  # whether a run has more runs below it than are compared
    versions: VersionDiff | None = None  # differences of the definitions; None if there are none


class _Side(msgspec.Struct, frozen=True):
    run: RunDetail
    reads: list[RunUseRow]
    writes: list[RunUseRow]
    values: dict[str, TaskValue]
    cut: bool


def diff_runs(graph: Graph, before: str, after: str, inherit: bool) -> RunDiff:
    """Compare two runs by their ids."""

    def work(tx: Transaction) -> RunDiff:
        return _diff(tx, _side(tx, before, inherit), _side(tx, after, inherit))

    return graph.read(work)


def diff_runs_whole(graph: Graph, settings: Settings, before: str, after: str) -> RunDiff:
    """Compare two runs, and the versions that they ran."""
    found = diff_runs(graph, before, after, settings.inherit_namespace)
    old, new = found.before.version, found.after.version
    if old is None or new is None or old == new:
        return found
    try:
        versions = diff_versions(graph, settings, old, new)
    except NotFound:
        return found
    return msgspec.structs.replace(found, versions=versions)


def _side(tx: Transaction, run: str, inherit: bool) -> _Side:
    found = list_runs(tx, [run], inherit)
    if not found:
        raise NotFound(f"no run {run!r}")
    below = list_below(tx, id=run, limit=MOST_COMPARED + 1)
    cut, below = len(below) > MOST_COMPARED, below[:MOST_COMPARED]
    inside = set(below)
    reads = [use for use in list_reads(tx, ids=below) if use.writer not in inside]
    values = _returned(tx, below, found[0].row.name or "")
    return _Side(found[0], _with_schemas(tx, reads), list_writes(tx, ids=below), values, cut)


def _returned(tx: Transaction, ids: list[str], job: str) -> dict[str, TaskValue]:
    """Return the values of runs by the names of their jobs below the compared one."""
    rows = ((row.name, read_value(row.output)) for row in list_outputs(tx, ids=ids))
    return {name.removeprefix(f"{job}."): value for name, value in rows if value}


def _with_schemas(tx: Transaction, reads: list[RunUseRow]) -> list[RunUseRow]:
    """Return reads with the columns from the writer if the reader reported none."""
    keys = sorted({use.version for use in reads if use.version and not use.schema})
    written = {row.key: row.schema for row in list_versions(tx, keys=keys)}
    return [
        msgspec.structs.replace(use, schema=use.schema or written.get(use.version or ""))
        for use in reads
    ]


def _diff(tx: Transaction, before: _Side, after: _Side) -> RunDiff:
    uses = (*before.reads, *before.writes, *after.reads, *after.writes)
    columns = read_columns(tx, (use.schema for use in uses))
    shown = shown_names(tx, {use.dataset for use in uses})

    def uses_diff(
        first: list[RunUseRow], then: list[RunUseRow], by_version: bool
    ) -> tuple[UseDiff, ...]:
        old, new = sum_up(first, shown), sum_up(then, shown)
        names = {shown[use.dataset]: (use.namespace, use.name) for use in (*first, *then)}
        return diff_uses(old, new, names, columns, by_version=by_version)

    old, new = _compared(before.run), _compared(after.run)
    return RunDiff(
        old,
        new,
        tuple(_changed(old, new)),
        _change(old.duration_ms, new.duration_ms),
        tuple(_parameters(before.run, after.run)),
        tuple(_values(before.values, after.values)),
        uses_diff(before.reads, after.reads, by_version=True),
        uses_diff(before.writes, after.writes, by_version=False),
        before.cut or after.cut,
    )


def _compared(run: RunDetail) -> ComparedRun:
    row = run.row
    return ComparedRun(
        row.id,
        run.namespace,
        row.name or row.id,
        row.state,
        row.started_at,
        row.ended_at,
        duration_ms(row),
        row.version,
    )


def _changed(old: ComparedRun, new: ComparedRun) -> Iterable[str]:
    if (old.namespace, old.name) != (new.namespace, new.name):
        yield "job"
    if old.state != new.state:
        yield "state"
    if old.version != new.version:
        yield "version"


def _change(old: int | None, new: int | None) -> int | None:
    return None if old is None or new is None else new - old


def _parameters(before: RunDetail, after: RunDetail) -> Iterable[ParameterDiff]:
    old, new = (values_of(run.row.params) for run in (before, after))
    return (ParameterDiff(*one) for one in list_changed(old, new))


def _values(
    before: Mapping[str, TaskValue], after: Mapping[str, TaskValue]
) -> Iterable[ParameterDiff]:
    for task in sorted({*before, *after}):
        old, new = before.get(task), after.get(task)
        if old is None or new is None or (old.kind, old.sha256) != (new.kind, new.sha256):
            yield ParameterDiff(task, *(one and shown_value(one) for one in (old, new)))
