"""Lineage of runs: which run read the data of which other, one level of runs at a time."""

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.runs.run_details import RunDetail, list_runs
from lineagegraph.store.jobs.details import RunUseRow, list_reads, list_writes
from lineagegraph.store.lineage.lineage import FlowRow
from lineagegraph.store.lineage.run_lineage import list_below, list_partition_readers, list_readers

MOST_NODES = 3000


class Steps(msgspec.Struct, frozen=True):
    """The numbers of runs to follow upstream and downstream; None follows none."""

    up: int | None
    down: int | None


class RunLineage(msgspec.Struct, frozen=True):
    """Runs by id, versions of datasets by key, and the data between; `cut` if there is more."""

    runs: tuple[str, ...]
    versions: tuple[str, ...]
    edges: tuple[FlowRow, ...]
    cut: bool


def walk_from_runs(tx: Transaction, runs: Iterable[str], steps: Steps) -> RunLineage:
    """Return the reads and writes of runs, and their upstream and downstream runs."""
    roots = list(runs)
    before = _read_edges(walk_up(tx, roots, steps.up), steps.up)
    after, cut = _written_edges(tx, roots, steps.down)
    # Of the runs below it those come in that have data, however many others there are.
    is_cut = cut or len(roots) > MOST_NODES
    return _lineage(roots[:1], (), [*before, *after], is_cut)


def walk_from_version(
    tx: Transaction, version: str, writer: str | None, steps: Steps
) -> RunLineage:
    """Return a version's writer and readers, and their neighbours."""
    edges: list[_Edge] = []
    cut = False
    if steps.up is not None and writer:
        edges += [_Edge(writer, version, is_write=True)]
        edges += _read_edges(walk_up(tx, [writer], steps.up), steps.up)
    if steps.down is not None:
        readers, cut = _reads_of(tx, [version])
        edges += [_Edge(version, use.id) for use in readers]
        written, is_cut_below = _written_edges(tx, [use.id for use in readers], steps.down)
        edges, cut = [*edges, *written], cut or is_cut_below
    return _lineage((), [version], edges, cut)


def walk_up(
    tx: Transaction, runs: Iterable[str], depth: int | None
) -> Iterator[tuple[list[str], list[RunUseRow]]]:
    """Yield runs with their reads, then the runs that wrote that data, and so on."""
    level = sorted(set(runs)) if depth is not None else []
    seen = set(level)
    for _ in range((depth or 0) + 1):
        if not level or len(seen) > MOST_NODES:
            return
        reads = list_reads(tx, ids=level)
        yield level, reads
        level = sorted({use.writer for use in reads if use.writer} - seen)
        seen |= set(level)


class _Edge(msgspec.Struct, frozen=True):
    source: str
    target: str
    is_write: bool = False


def _read_edges(
    levels: Iterable[tuple[list[str], list[RunUseRow]]], depth: int | None
) -> Iterator[_Edge]:
    for distance, (_, reads) in enumerate(levels):
        for use in reads:
            if use.version:
                yield _Edge(use.version, use.id)
                if use.writer and distance < (depth or 0):
                    yield _Edge(use.writer, use.version, is_write=True)


def _written_edges(
    tx: Transaction, runs: Iterable[str], depth: int | None
) -> tuple[list[_Edge], bool]:
    """Return the edges downstream of runs, and whether a version has too many readers."""
    level = sorted(set(runs)) if depth is not None else []
    seen, edges, cut = set(level), [], False
    for left in range(depth or 0, -1, -1):
        if not level or len(seen) > MOST_NODES:
            break
        written = {use.version: use.id for use in list_writes(tx, ids=level) if use.version}
        edges += [_Edge(run, version, is_write=True) for version, run in written.items()]
        reads, is_cut_here = _reads_of(tx, written) if left else ([], False)
        edges += [_Edge(use.version, use.id) for use in reads if use.version]
        level, cut = sorted({use.id for use in reads} - seen), cut or is_cut_here
        seen |= set(level)
    return edges, cut


def _reads_of(tx: Transaction, versions: Iterable[str]) -> tuple[list[RunUseRow], bool]:
    """Return the uses of versions by the runs that read them, and whether there are too many."""
    keys = sorted(versions)
    found = list_readers(tx, keys=keys, limit=MOST_NODES + 1)
    partial = list_partition_readers(tx, keys=keys, limit=MOST_NODES + 1)
    cut = max(len(found), len(partial)) > MOST_NODES
    written, reads = set(keys), list_reads(tx, ids=sorted({*found, *partial}))
    return [use for use in reads if use.version in written], cut


def _lineage(
    runs: Iterable[str], versions: Iterable[str], edges: Iterable[_Edge], cut: bool
) -> RunLineage:
    """Return a graph of the nodes that were reached first."""
    is_run = dict.fromkeys(runs, True) | dict.fromkeys(versions, False)
    flows = list(dict.fromkeys(edges))
    for edge in flows:
        is_run.setdefault(edge.source, edge.is_write)
        is_run.setdefault(edge.target, not edge.is_write)
    kept = set(islice(is_run, MOST_NODES))
    return RunLineage(
        tuple(node for node in is_run if is_run[node] and node in kept),
        tuple(node for node in is_run if not is_run[node] and node in kept),
        tuple(FlowRow(e.source, e.target) for e in flows if {e.source, e.target} <= kept),
        cut=cut or len(is_run) > len(kept),
    )


class UpstreamRun(msgspec.Struct, frozen=True):
    """A run and its reads."""

    run: RunDetail
    reads: tuple[RunUseRow, ...]


class UpstreamRuns(msgspec.Struct, frozen=True):
    """Runs, the nearer ones first; `cut` if there are more."""

    runs: tuple[UpstreamRun, ...]
    cut: bool


def read_upstream_runs(graph: Graph, run: str, depth: int, inherit: bool) -> UpstreamRuns:
    """Return a run and its upstream runs, up to `depth` away, nearest first.

    The descendants of a run count as the run; those of them that read nothing are left out.
    """

    def work(tx: Transaction) -> UpstreamRuns:
        known = list_below(tx, id=run, limit=MOST_NODES + 1)
        below = known[:MOST_NODES]
        levels = list(walk_up(tx, below, depth))
        seen = {*below, *(use.writer for _, reads in levels for use in reads if use.writer)}
        is_left = len(levels) <= depth and len(seen) > MOST_NODES
        found = [
            found
            for level, reads in levels
            for found in _level(tx, level, reads, inherit)
            if found.reads or found.run.row.id == run or found.run.row.id not in below
        ]
        return UpstreamRuns(tuple(found), is_left or len(known) > MOST_NODES)

    found = graph.read(work)
    if not found.runs:
        raise NotFound(f"no run {run!r}")
    return found


def _level(
    tx: Transaction, level: list[str], reads: list[RunUseRow], inherit: bool
) -> list[UpstreamRun]:
    """Return the runs of a level by job."""
    uses: dict[str, list[RunUseRow]] = {}
    for use in reads:
        uses.setdefault(use.id, []).append(use)
    runs = sorted(list_runs(tx, level, inherit), key=lambda run: (run.row.name or "", run.row.id))
    return [UpstreamRun(run, tuple(uses.get(run.row.id, ()))) for run in runs]
