"""Paths from stale nodes upstream to the causes, for many nodes at once.

A node that is fresh by its terms is no cause, and neither is anything upstream of it. From a node
the path leads to the nearest that is stale, due, never succeeded, or whose latest run failed or
waits; and on from there, until no such node is upstream.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.standing import FreshState, Judged
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.freshness import terms
from lineagegraph.store.freshness.terms import NodeRow

_DEPTH = 100
_FAILED = (RunState.FAILED, RunState.KILLED)
_TO_BLAME = {*_FAILED, RunState.SKIPPED, RunState.WAITING}
_ORDER = [FreshState.STALE, FreshState.UNKNOWN, FreshState.DUE]


class CauseStep(msgspec.Struct, frozen=True, kw_only=True):
    """A node on the path to a cause: its freshness, if it has terms, and a job's latest run."""

    node: str  # node id: `job:…` or `dataset:…`
    namespace: str  # namespace of the node
    name: str  # name of the node
    state: FreshState | None  # freshness; None without terms
    since: datetime | None  # start of that state
    run_id: str | None  # latest run of a job
    run_state: str | None  # state of that run
    run_at: datetime | None  # time of that state
    reason: str | None  # reason of that state
    message: str | None  # message of that state


class _Upstream:
    """The possible causes upstream of some nodes."""

    def __init__(self) -> None:
        self.nodes: dict[str, NodeRow] = {}
        self.judged: dict[str, Judged] = {}
        self.below: dict[str, list[str]] = defaultdict(list)

    def is_bad(self, key: str) -> bool:
        """Return whether a node may be a cause."""
        judged = self.judged.get(key)
        if judged:
            return judged.state is not FreshState.FRESH
        return self.nodes[key].run_state in _TO_BLAME

    def rank(self, key: str) -> tuple[bool, int, str]:
        """Return the sort key of possible causes: failed ones first."""
        judged, node = self.judged.get(key), self.nodes[key]
        state = _ORDER.index(judged.state) if judged else 0
        return node.run_state not in _FAILED, state, f"{node.namespace} {node.name}"


def find_causes(
    tx: Transaction,
    bad: Mapping[str, Judged],
    judge_more: Callable[[list[str]], Mapping[str, Judged]],
) -> dict[str, tuple[CauseStep, ...]]:
    """Return the path to the cause for nodes that are not fresh, each starting with the node.

    A node that is gone by now has none.
    """
    found = _walk(tx, bad, judge_more)
    towards = _point(found)
    return {key: tuple(_step(found, one) for one in _follow(found, towards, key)) for key in bad}


def _walk(
    tx: Transaction,
    bad: Mapping[str, Judged],
    judge_more: Callable[[list[str]], Mapping[str, Judged]],
) -> _Upstream:
    """Walk upstream, with one query for all nodes at the same distance."""
    found = _Upstream()
    found.judged |= bad
    frontier = sorted(bad)
    _add_nodes(tx, found, frontier)
    for _ in range(_DEPTH):
        edges = terms.list_upstream(tx, keys=frontier)
        for edge in edges:
            found.below[edge.upstream].append(edge.key)
        new = sorted({edge.upstream for edge in edges} - found.nodes.keys())
        found.judged |= judge_more(new)
        _add_nodes(tx, found, new)
        frontier = [key for key in new if _leads_on(found.judged.get(key))]
        if not frontier:
            break
    return found


def _add_nodes(tx: Transaction, found: _Upstream, keys: list[str]) -> None:
    found.nodes |= {row.key: row for row in terms.list_nodes(tx, keys=keys)}


def _leads_on(judged: Judged | None) -> bool:
    return judged is None or judged.state is not FreshState.FRESH


def _point(found: _Upstream) -> dict[str, str]:
    """Return for each node the next one on the path to its nearest bad ancestor."""
    waiting = deque(sorted(filter(found.is_bad, found.nodes), key=found.rank))
    towards: dict[str, str] = {}
    while waiting:
        at = waiting.popleft()
        for below in found.below[at]:
            if below not in towards:
                towards[below] = at
                if not found.is_bad(below):
                    waiting.append(below)
    return towards


def _follow(found: _Upstream, towards: Mapping[str, str], key: str) -> Iterable[str]:
    if key not in found.nodes:
        return []
    path = [key]
    while (at := towards.get(path[-1])) and at not in path:
        path.append(at)
    while not found.is_bad(path[-1]):
        path.pop()
    is_alone = len(path) == 1 and found.nodes[key].run_state not in _TO_BLAME
    return [] if is_alone else path


def _step(found: _Upstream, key: str) -> CauseStep:
    node, judged = found.nodes[key], found.judged.get(key)
    return CauseStep(
        node=f"{'job' if node.is_job else 'dataset'}:{node.namespace}:{node.name}",
        namespace=node.namespace,
        name=node.name,
        state=judged.state if judged else None,
        since=judged.since if judged else None,
        run_id=node.run_id,
        run_state=node.run_state,
        run_at=node.run_at,
        reason=node.reason,
        message=node.message,
    )
