"""The walk from all jobs and datasets of a namespace, one data flow at a time.

Each node is visited once, however many nodes the namespace has.
"""

from collections.abc import Callable
from datetime import datetime

from lineagegraph.errors import NotFound
from lineagegraph.graph import Transaction
from lineagegraph.store.admin import namespaces
from lineagegraph.store.lineage.lineage import Joined, Reached, list_namespace_nodes

ListNext = Callable[..., list[Joined]]


def list_starts(tx: Transaction, namespace: str, limit: int, *, inherit: bool) -> list[Reached]:
    """Return the jobs that are served in a namespace and its datasets; raise `NotFound`."""
    if namespaces.get_name(tx, name=namespace) is None:
        raise NotFound(f"no namespace {namespace!r}")
    return list_namespace_nodes(tx, namespace=namespace, inherit=inherit, limit=limit)


def walk_on(
    tx: Transaction,
    list_next: ListNext,
    starts: list[Reached],
    depth: int,
    limit: int,
    at: datetime | None,
) -> list[Reached]:
    """Return the starts and the nodes up to `depth` edges from any of them, nearest first."""
    reached = {node.key: node for node in starts}
    last = starts
    for distance in range(1, depth + 1):
        if not last or len(reached) >= limit:
            break
        # Up to `limit` of the rows were reached before: the others are enough to fill the answer.
        rows = list_next(tx, **_keys(last), limit=2 * limit, at=at)
        new = [row for row in rows if row.key not in reached]
        last = [Reached(row.key, row.is_job, distance, is_same=False) for row in new]
        reached.update((node.key, node) for node in last)
    return list(reached.values())[:limit]


def _keys(nodes: list[Reached]) -> dict[str, list[str]]:
    return {
        "jobs": [node.key for node in nodes if node.is_job],
        "datasets": [node.key for node in nodes if not node.is_job],
    }
