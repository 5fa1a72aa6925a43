"""A row of numbers as levels that last for a while, and the numbers that are off their level.

Medians all the way: a few numbers that are far off move neither a level nor what counts as far.
"""

from collections.abc import Iterator, Sequence
from statistics import median

import msgspec

# Iglewicz and Hoaglin's: beyond that modified z-score a number is an outlier.
FAR = 3.5
_OF_NORMAL = 1.4826
# Five numbers make a level: of fewer, chance makes too many.
_FEWEST = 5
# What differs by less than a tenth is no news, however steady the rest is.
_NOTABLE = 0.1


class Level(msgspec.Struct, frozen=True):
    """The numbers from `start` up to without `end`: where their middle is, and how they scatter.

    `spread` is comparable to a standard deviation.
    """

    start: int
    end: int
    middle: float
    spread: float


def find_levels(values: Sequence[float]) -> list[Level]:
    """Return the levels that numbers stay at one after the other; none of no numbers."""
    return list(_levels(values, 0, len(values)))


def score(value: float, level: Level) -> float:
    """Return how many spreads a number is off its level."""
    return (value - level.middle) / level.spread if level.spread else 0.0


def spread_of(values: Sequence[float]) -> float:
    """Return how numbers scatter, at least so much that what is less than a tenth off is not far.

    More than half of them may be the same, as those of short runs in whole seconds are.
    """
    middle = median(values)
    off = median(abs(value - middle) for value in values)
    return max(_OF_NORMAL * off, abs(middle) * _NOTABLE / FAR)


def _levels(values: Sequence[float], start: int, end: int) -> Iterator[Level]:
    split = _best_split(values[start:end])
    if split is None:
        if start < end:
            part = values[start:end]
            yield Level(start, end, median(part), spread_of(part))
        return
    yield from _levels(values, start, start + split)
    yield from _levels(values, start + split, end)


def _best_split(values: Sequence[float]) -> int | None:
    """Return where numbers go over to another level, if they do."""
    splits = range(_FEWEST, len(values) - _FEWEST + 1)
    best = min(splits, key=lambda at: _loss(values[:at]) + _loss(values[at:]), default=None)
    return best if best and _is_shift(values[:best], values[best:]) else None


def _loss(values: Sequence[float]) -> float:
    middle = median(values)
    return sum(abs(value - middle) for value in values)


def _is_shift(before: Sequence[float], after: Sequence[float]) -> bool:
    """Say whether middles are further apart than what the numbers on both sides scatter."""
    old, new = median(before), median(after)
    off = abs(new - old)
    spread = max(spread_of(before), spread_of(after))
    return off > _NOTABLE * max(abs(old), abs(new)) and off > 2 * spread
