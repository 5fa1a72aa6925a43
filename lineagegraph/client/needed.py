"""Which statements of a notebook one of them needs, in an order in which a file can have them."""

import builtins
from collections.abc import Iterable, Sequence

from lineagegraph.client.statements import AWAIT, Statement
from lineagegraph.errors import DefinitionError

_KNOWN = frozenset({*dir(builtins), "__file__"})
_ONLY_HERE = {
    "get_ipython": "what begins with % or !",
    "display": "`display`",
    AWAIT: "`await` outside of functions",
}


def needed_for(last: Statement, known: Sequence[Statement]) -> list[Statement]:
    """Return a statement after all that it needs; of what was stated twice the newest counts.

    Raises `DefinitionError` for what no file can have, and for names that no statement gives.
    """
    needs, missing = {}, set[str]()
    left = [known.index(last)]
    while left:
        place = left.pop()
        if place in needs:
            continue
        one = known[place]
        now = {name: _now(name, known, place) for name in one.names.now}
        later = {name: _makers(name, known, len(known)) for name in one.names.later}
        unmade = {name for name, made in (now | later).items() if not made}
        _check(one, unmade)
        missing |= unmade - _KNOWN - one.names.sets - one.names.changes
        needs[place] = _all(now.values())
        left += [*needs[place], *_all(later.values())]
    if missing:
        raise DefinitionError(
            f"{last.place}: no cell of plain Python states {', '.join(sorted(missing))}, which it "
            "needs: state that in one"
        )
    return [known[place] for place in _ordered(needs)]


def _check(one: Statement, unmade: set[str]) -> None:
    for name, what in _ONLY_HERE.items():
        if name in unmade:
            raise DefinitionError(
                f"{one.place}: {what} works only in a notebook: write it as a file would have it"
            )


def _now(name: str, known: Sequence[Statement], place: int) -> list[int]:
    """Return what has made a name before; what was run again since is found behind."""
    behind = _makers(name, known, len(known))
    return _makers(name, known, place) or [one for one in behind if one != place]


def _makers(name: str, known: Sequence[Statement], until: int) -> list[int]:
    """Return the statement that set a name last, and those that changed it since."""
    made: list[int] = []
    for place in reversed(range(until)):
        names = known[place].names
        if name in names.sets or name in names.changes:
            made.insert(0, place)
        if name in names.sets:
            break
    return made


def _all(found: Iterable[list[int]]) -> list[int]:
    return sorted({place for places in found for place in places})


def _ordered(needs: dict[int, list[int]]) -> list[int]:
    """Return statements in their order, but none before what it needs."""
    order: dict[int, None] = {}
    begun = set[int]()

    def put(place: int) -> None:
        if place in begun:
            return
        begun.add(place)
        for one in needs[place]:
            put(one)
        order[place] = None

    for place in sorted(needs):
        put(place)
    return [*order]
