"""Cycles of parents: marks at their runs, kept while the parents of runs change."""

from collections.abc import Iterable, Mapping

from lineagegraph.graph import Transaction
from lineagegraph.ingest.joined import JoinedFacts
from lineagegraph.store.runs import runs


def mark_cycles(tx: Transaction, changed: Iterable[JoinedFacts]) -> set[str]:
    """Mark the runs on cycles of parents after the parents of some runs changed.

    Return the changed runs that are on a cycle now.
    """
    changed = list(changed)
    before = sorted(run.id for run in changed if run.before.get("parent"))
    if before:
        runs.set_off_cycle(tx, ids=before)
    after = sorted(run.id for run in changed if run.after.get("parent"))
    # A cycle that is new has a changed run, so the way up is walked from one of these to the next.
    found = runs.list_next_above(tx, ids=after) if after else []
    above = {one.id: one.parent_id for one in found}
    closed = {id_ for cycle in list_cycles(above) for id_ in cycle}
    if closed:
        runs.set_on_cycle(tx, ids=sorted(closed))
    return closed


def list_cycles(parents: Mapping[str, str]) -> list[list[str]]:
    """Return the cycles of a map, each as a way from its first key to the parent and on."""
    cycles: list[list[str]] = []
    seen: set[str] = set()
    for start in sorted(parents):
        way: dict[str, None] = {}
        at: str | None = start
        while at is not None and at not in seen:
            seen.add(at)
            way[at] = None
            at = parents.get(at)
        if at in way:
            whole = list(way)
            cycles.append(whole[whole.index(at) :])
    return cycles
