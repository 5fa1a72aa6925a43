"""Datasets that are the same by their other names.

`HAS_NAME` relationships are facts: a dataset has the name of another. `SAME_AS` and the property
`same_as` follow from them: each two of a connected set are the same, and `same_as` is the key of
the one that stands for all, in each of them.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations, groupby
from typing import NamedTuple

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.runs.facts import DatasetFacts
from lineagegraph.store.datasets import names
from lineagegraph.store.datasets.names import Member

# Each two are connected, and a reader asks for all names of a dataset at once.
MOST_SAME = 32


class SameData(NamedTuple):
    """Keys of datasets whose names changed: the same as others now, or with too many names."""

    same: frozenset[str] = frozenset()
    crowded: frozenset[str] = frozenset()


def link_names(
    tx: Transaction, known: Mapping[str, tuple[DatasetFacts | None, DatasetFacts]]
) -> SameData:
    """Write the other names that are new, and which datasets are the same by them."""
    # Producers repeat the names in each event: only a new name, or an earlier time, is news.
    changed = {
        key: after
        for key, (before, after) in sorted(known.items())
        if _name_row(key, after) != _name_row(key, before)
    }
    if not changed:
        return SameData()
    ends = [*changed, *names.list_next(tx, keys=list(changed))]
    names.link_names(tx, rows=[_name_row(key, facts) for key, facts in changed.items()])
    return join_same(tx, {*ends, *names.list_next(tx, keys=list(changed))})


def join_same(tx: Transaction, ends: Iterable[str]) -> SameData:
    """Update which datasets are the same, after the names between those of some keys changed.

    More than `MOST_SAME` are not the same: so many names come from a fault or an attack.
    """
    # Of a set that became too large not all members are read: its earlier parts are starts too.
    starts = {*ends, *names.list_next(tx, keys=sorted(ends))}
    rows: dict[str, dict[str, str | None]] = {}
    pairs: set[tuple[str, str]] = set()
    crowded: set[str] = set()
    for members in _read_sets(tx, sorted(starts)):
        is_set = 1 < len(members) <= MOST_SAME
        first = _representative(members) if is_set else None
        rows |= {one.key: {"key": one.key, "same_as": first} for one in members}
        if is_set:
            pairs |= set(combinations([one.key for one in members], 2))
        elif members[1:]:
            crowded |= {one.key for one in members}
    names.set_same(
        tx,
        rows=[rows[key] for key in sorted(rows)],
        pairs=[{"left": left, "right": right} for left, right in sorted(pairs)],
    )
    same = frozenset(key for key, row in rows.items() if row["same_as"])
    return SameData(same, frozenset(crowded))


def _read_sets(tx: Transaction, starts: list[str]) -> list[list[Member]]:
    """Return the set of each start.

    No lock is needed: a transaction that adds a member at the same time has locked a dataset of
    the set that this one is going to write, and the other way around, so one of them is repeated.
    """
    found = names.list_members(tx, keys=starts, limit=MOST_SAME + 1)
    return [list(some) for _, some in groupby(found, key=lambda one: one.start)]


def _representative(members: list[Member]) -> str:
    """Return the key of the first by name of those that are not only another one's other name."""
    named = {name for one in members for name in one.names}
    firsts = [one for one in members if one.key not in named] or members
    return min(firsts, key=lambda one: (one.namespace, one.name)).key


def _name_row(key: str, facts: DatasetFacts | None) -> dict[str, object]:
    said = [
        {
            "key": dataset_key(name.namespace, name.name),
            "namespace": name.namespace,
            "name": name.name,
            "kind": name.kind,
            "first_seen": name.span.first,
        }
        for name in (facts.other_names if facts else ())
    ]
    return {"key": key, "names": said}
