"""Level shifts and outliers in a series of numbers.

All statistics are medians: a few outliers move neither a level nor the limit for outliers.
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


class ValueLevel(msgspec.Struct, frozen=True):
    """The median and spread of the numbers in `[start, end)`.

    `spread` is comparable to a standard deviation.
    """

    start: int
    end: int
    middle: float
    spread: float


def find_levels(values: Sequence[float]) -> list[ValueLevel]:
    """Return the consecutive levels of a series; empty for an empty series."""
    return list(_levels(values, 0, len(values)))


def score(value: float, level: ValueLevel) -> float:
    """Return a number's distance from its level, in spreads."""
    return (value - level.middle) / level.spread if level.spread else 0.0


def spread_of(values: Sequence[float]) -> float:
    """Return the spread of numbers, at least such that a deviation below a tenth is no outlier.

    More than half of them may be equal, such as durations of short runs in whole seconds.
    """
    middle = median(values)
    off = median(abs(value - middle) for value in values)
    return max(_OF_NORMAL * off, abs(middle) * _NOTABLE / FAR)


def _levels(values: Sequence[float], start: int, end: int) -> Iterator[ValueLevel]:
    split = _best_split(values[start:end])
    if split is None:
        if start < end:
            part = values[start:end]
            yield ValueLevel(start, end, median(part), spread_of(part))
        return
    yield from _levels(values, start, start + split)
    yield from _levels(values, start + split, end)


def _best_split(values: Sequence[float]) -> int | None:
    """Return the index at which the numbers shift to another level, if they do."""
    splits = range(_FEWEST, len(values) - _FEWEST + 1)
    best = min(splits, key=lambda at: _loss(values[:at]) + _loss(values[at:]), default=None)
    return best if best and _is_shift(values[:best], values[best:]) else None


def _loss(values: Sequence[float]) -> float:
    middle = median(values)
    return sum(abs(value - middle) for value in values)


def _is_shift(before: Sequence[float], after: Sequence[float]) -> bool:
    """Return whether two medians differ by more than the spread on both sides."""
    old, new = median(before), median(after)
    off = abs(new - old)
    spread = max(spread_of(before), spread_of(after))
    return off > _NOTABLE * max(abs(old), abs(new)) and off > 2 * spread
