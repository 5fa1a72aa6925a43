"""What a condition means, in plain Python: every choice that there is, tried one by one.

Written from the meaning alone, to compare the engine with. An occurrence is of one leaf, which is
known by its place in the tree. A condition is true where it has a choice of occurrences.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, product
from typing import NamedTuple

from lineagegraph.model.triggers.condition import (
    And,
    AnyCondition,
    AtLeast,
    Happening,
    Not,
    Operator,
    Or,
    Sequence,
    operands_of,
)

Place = tuple[int, ...]


class Occurrence(NamedTuple):
    """Something that happened, for the leaf at a place."""

    place: Place
    subject: str
    status: str
    at: int
    part: str


class Choice(NamedTuple):
    """Occurrences that make a condition true, from the first to the last of their times."""

    begin: int
    end: int
    chosen: frozenset[Occurrence]


def choices(said: AnyCondition, held: Iterable[Occurrence], place: Place = ()) -> list[Choice]:
    """Return the choices that count: those for which none ends sooner that begins no sooner.

    What a NOT beside them is about must not fit into the bound of the AND together with a choice.
    """
    held = list(held)
    within = said.within_seconds if isinstance(said, Operator) else None
    found = [c for c in _all(said, held, place) if within is None or c.end - c.begin <= within]
    first = [c for c in found if not any(o.begin >= c.begin and o.end < c.end for o in found)]
    return [c for c in first if not _is_barred(c, said, held, place, within)]


def positive_leaves(said: AnyCondition, place: Place = ()) -> Iterator[Place]:
    """Return the places of the leaves that are not below a NOT."""
    if isinstance(said, Happening):
        yield place
    elif not isinstance(said, Not):
        for i, operand in enumerate(operands_of(said)):
            yield from positive_leaves(operand, (*place, i))


def leaves(said: AnyCondition, place: Place = ()) -> Iterator[tuple[Place, Happening]]:
    """Return all leaves with their places."""
    if isinstance(said, Happening):
        yield place, said
    for i, operand in enumerate(operands_of(said)):
        yield from leaves(operand, (*place, i))


def _all(said: AnyCondition, held: list[Occurrence], place: Place) -> Iterator[Choice]:
    match said:
        case Happening():
            yield from _leaf(said, [one for one in held if one.place == place])
        case Sequence():
            for parts in product(*_operands(said, held, place)):
                if all(one.end < other.begin for one, other in pairwise(parts)):
                    yield _joined(parts)
        case And():
            yield from map(_joined, product(*_operands(said, held, place)))
        case Or():
            yield from _some(1, _operands(said, held, place))
        case AtLeast():
            yield from _some(said.count, _operands(said, held, place))


def _leaf(leaf: Happening, mine: list[Occurrence]) -> Iterator[Choice]:
    newest = {one.part: one for one in sorted(mine, key=lambda one: one.at)}
    counting = [one for one in mine if leaf.count == 1 or one.at == newest[one.part].at]
    for some in combinations(counting, leaf.count):
        if len({one.part for one in some}) == leaf.count:
            yield Choice(min(o.at for o in some), max(o.at for o in some), frozenset(some))


def _operands(said: AnyCondition, held: list[Occurrence], place: Place) -> list[list[Choice]]:
    return [
        choices(operand, held, (*place, i))
        for i, operand in enumerate(operands_of(said))
        if not isinstance(operand, Not)
    ]


def _some(need: int, operands: list[list[Choice]]) -> Iterator[Choice]:
    """Choose of so many operands; more only where they are about the same thing as another."""
    for size in range(need, len(operands) + 1):
        for some in combinations(operands, size):
            for parts in product(*some):
                if size == need or len(set(map(_about, parts))) <= need:
                    yield _joined(parts)


def _about(part: Choice) -> tuple[int, str]:
    """Return the time and the subject of a choice about one thing; another one is about itself."""
    subjects = {one.subject for one in part.chosen}
    return part.end, subjects.pop() if len(subjects) == 1 else str(sorted(part.chosen))


def _joined(parts: Iterable[Choice]) -> Choice:
    parts = list(parts)
    chosen = frozenset[Occurrence]().union(*(part.chosen for part in parts))
    return Choice(min(p.begin for p in parts), max(p.end for p in parts), chosen)


def _is_barred(
    choice: Choice,
    said: AnyCondition,
    held: list[Occurrence],
    place: Place,
    within: float | None,
) -> bool:
    for i, operand in enumerate(operands_of(said)):
        if isinstance(said, And) and isinstance(operand, Not):
            for other in choices(operand.operand, held, (*place, i, 0)):
                both = _joined([choice, other])
                if within is None or both.end - both.begin <= within:
                    return True
    return False
