"""The runs upstream of a run, each with its reads."""

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.lineage.run_lineage import MOST_NODES, walk_up
from lineagegraph.queries.runs.run_details import RunDetail, list_runs
from lineagegraph.store.jobs.details import RunUseRow
from lineagegraph.store.lineage.run_lineage import list_below


class UpstreamRun(msgspec.Struct, frozen=True):
    """A run and its reads."""

    run: RunDetail
    reads: tuple[RunUseRow, ...]


def read_upstream_runs(graph: Graph, run: str, depth: int, inherit: bool) -> list[UpstreamRun]:
    """Return a run and its upstream runs, up to `depth` away, nearest first.

    The descendants of a run count as the run; those of them that read nothing are left out.
    """

    def work(tx: Transaction) -> list[UpstreamRun]:
        below = list_below(tx, id=run, limit=MOST_NODES)
        return [
            found
            for level, reads in walk_up(tx, below, depth)
            for found in _level(tx, level, reads, inherit)
            if found.reads or found.run.row.id == run or found.run.row.id not in below
        ]

    found = graph.read(work)
    if not found:
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
