"""How a column came from another: OpenLineage's transformation subtypes, and how they chain."""

from collections.abc import Iterable

DIRECT = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")

Source = tuple[int, str]
"""A column of a relation: the id of the relation's first attribute, and the column's name."""

Sources = frozenset[tuple[Source, str]]
"""Columns of relations, each with the subtype of its transformation."""

NOTHING: Sources = frozenset()


def is_direct(subtype: str) -> bool:
    """Return whether values flow and do not only decide."""
    return subtype in DIRECT


def then(first: str, second: str) -> str:
    """Return the subtype of two transformations in a row."""
    if not is_direct(second):
        return second
    if not is_direct(first):
        return first
    return max(first, second, key=DIRECT.index)


def through(sources: Iterable[tuple[Source, str]], subtype: str) -> Sources:
    """Return the sources after one more transformation."""
    return frozenset((source, then(first, subtype)) for source, first in sources)


def strongest(sources: Sources) -> dict[Source, list[str]]:
    """Return the subtypes of each source in order: one direct at most, then the indirect ones."""
    found: dict[Source, list[str]] = {}
    for source, subtype in sorted(sources):
        found.setdefault(source, []).append(subtype)
    return {source: _strongest(subtypes) for source, subtypes in found.items()}


def _strongest(subtypes: list[str]) -> list[str]:
    direct = [subtype for subtype in subtypes if is_direct(subtype)]
    indirect = [subtype for subtype in subtypes if not is_direct(subtype)]
    return [max(direct, key=DIRECT.index), *indirect] if direct else indirect
