"""The root cause of a stale or failed job or dataset: upstream, and inside the run."""

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.find.find import find_node, find_run
from lineagegraph.queries.freshness.freshness import read_path
from lineagegraph.queries.freshness.stale_causes import CauseStep
from lineagegraph.queries.runs.hierarchy import WHOLE, Branch, read_run_tree
from lineagegraph.store.jobs.hierarchy import RunTreeRow
from lineagegraph.store.runs.history import get_run

_WRONG = (RunState.FAILED, RunState.KILLED)


class Failure(msgspec.Struct, frozen=True):
    """The run in which the failure began, as far down as is known, and its message."""

    run: str
    job: str
    state: str
    reason: str | None
    said: str | None
    log: str | None


class RootCause(msgspec.Struct, frozen=True):
    """The path upstream to the root cause, starting with the given node; empty if nothing is wrong.

    `failure` is set if the cause is a run that failed or was killed.
    """

    path: tuple[CauseStep, ...]
    failure: Failure | None

    @property
    def cause(self) -> CauseStep | None:
        """Return the last step of the path."""
        return self.path[-1] if self.path else None


def find_root_cause(graph: Graph, zone: str, text: str) -> RootCause:
    """Return why a job or dataset is stale or its latest run failed; for a run, why it failed.

    `zone` applies to freshness terms without a zone of their own.
    """
    key, run = _meant(graph, text)
    path = read_path(graph, zone, key)
    if run and path and path[0].run_id != run:
        path = ()  # what is wrong with its job since then
    if run and len(path) < 2:
        return RootCause(path, _failure(graph, run))
    failed = path[-1].run_id if path and path[-1].run_state in _WRONG else None
    return RootCause(path, _failure(graph, failed) if failed else None)


def _meant(graph: Graph, text: str) -> tuple[str, str | None]:
    """Return the key of a job or dataset, and the run if the text is a run's id."""
    try:
        return find_node(graph, text).key, None
    except NotFound as missing:
        try:
            run = find_run(graph, text).id
        except NotFound:
            raise missing from None
        row = graph.read(get_run, id=run)
        if row is None or row.job_key is None:
            raise NotFound(f"the job of run {run} is not in the graph") from None
        return row.job_key, run


def _failure(graph: Graph, run: str) -> Failure | None:
    """Return the first failed run at each level, down to the lowest."""
    at = read_run_tree(graph, run, limit=WHOLE)
    if at.item.state not in _WRONG:
        return None
    while below := [child for child in at.children if child.item.state in _WRONG]:
        at = min(below, key=_ended)
    row = at.item
    said = row.error or row.message
    return Failure(row.id, row.name, row.state, row.reason, said, row.log)


def _ended(branch: Branch[RunTreeRow]) -> tuple[str, str]:
    row = branch.item
    at = row.ended_at or row.created_at
    return at.isoformat() if at else "", row.id
