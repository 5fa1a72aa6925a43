"""Set, list and delete pools of slots for tasks."""

from typing import NamedTuple

from lineagegraph.errors import InvalidPool, NotFound, PoolInUse
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.runs import pools
from lineagegraph.store.runs.pools import PoolClaimRow, PoolRow

MOST_SLOTS = 1_000_000
LONGEST_NAME = 200


class PoolDetails(NamedTuple):
    """A pool, and the tasks that hold or wait for its slots."""

    pool: PoolRow
    claims: list[PoolClaimRow]


def set_pool(graph: Graph, name: str, slots: int) -> None:
    """Create a pool or change its size; raise `InvalidPool` for an invalid name or size.

    Slots that are taken stay taken: with fewer slots, tasks start again once enough of them ended.
    """
    graph.write(_set, _checked_name(name), _checked_slots(name, slots))


def list_pools(graph: Graph) -> list[PoolRow]:
    """Return the pools by name."""
    return graph.read(pools.list_pools)


def read_pool(graph: Graph, name: str) -> PoolDetails:
    """Return a pool with its tasks; raise `NotFound` if there is none of this name."""
    for pool in list_pools(graph):
        if pool.name == name:
            return PoolDetails(pool, graph.read(pools.list_claims, pool=name))
    raise _not_found(name)


def delete_pool(graph: Graph, name: str) -> None:
    """Delete a pool; raise `PoolInUse` while tasks hold or wait for its slots."""
    graph.write(_delete, name)


def claim_state(claim: PoolClaimRow) -> RunState:
    """Return whether a task with a claim runs or waits."""
    return RunState.WAITING if claim.taken_at is None else RunState.RUNNING


def _set(tx: Transaction, name: str, slots: int) -> None:
    with audited(tx, "pool.set", name):
        pools.merge_pool(tx, name=name, slots=slots)


def _delete(tx: Transaction, name: str) -> None:
    with audited(tx, "pool.delete", name):
        deleted = pools.delete_pool(tx, name=name)
        if deleted is None:
            raise _not_found(name)
        if not deleted:
            raise PoolInUse(
                f"pool {name} is in use: `lineagegraph pool show {name}` lists the tasks that hold "
                "or wait for its slots; cancel them, or wait for their end"
            )


def _checked_name(name: str) -> str:
    is_valid = 0 < len(name) <= LONGEST_NAME and name == name.strip() and name.isprintable()
    if not is_valid:
        raise InvalidPool(
            f"{name[:60]!r} is not a valid pool name: use printable text of up to {LONGEST_NAME} "
            "characters, without spaces around it"
        )
    return name


def _checked_slots(name: str, slots: int) -> int:
    if not 0 <= slots <= MOST_SLOTS:
        raise InvalidPool(f"pool {name}: slots must be 0 to {MOST_SLOTS:,}, not {slots}")
    return slots


def _not_found(name: str) -> NotFound:
    return NotFound(f"pool {name!r} is unknown: `lineagegraph pool list` lists the pools")
