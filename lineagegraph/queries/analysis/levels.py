"""Level shifts and outliers in a series of numbers, by binary segmentation.

All statistics are medians: a few outliers move neither a level nor the limit for outliers.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
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
    splits = list(_splits(values, 0, len(values)))
    while (weak := _weakest(values, splits)) is not None:
        splits.remove(weak)
    bounds = [0, *splits, len(values)] if values else []
    return [
        ValueLevel(start, end, median(values[start:end]), spread_of(values[start:end]))
        for start, end in pairwise(bounds)
    ]


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


def _splits(values: Sequence[float], start: int, end: int) -> Iterator[int]:
    """Yield the indices between `start` and `end` at which another level begins, in order."""
    part = values[start:end]
    found = _best_split(part) or _plateau(part)
    for at, then in pairwise([start, *(start + split for split in found), end]):
        if at > start:
            yield at
        if found:
            yield from _splits(values, at, then)


def _best_split(values: Sequence[float]) -> list[int]:
    """Return the index at which the numbers shift to another level, if they do."""
    splits = range(_FEWEST, len(values) - _FEWEST + 1)
    best = min(splits, key=lambda at: _loss(values[:at]) + _loss(values[at:]), default=None)
    return [best] if best and _is_shift(values[:best], values[best:]) else []


def _plateau(values: Sequence[float]) -> list[int]:
    """Return the bounds of a level between two parts of another one, which no single split shows.

    These are consecutive numbers on one side of the median, each farther from it than two spreads.
    """
    if len(values) < 3 * _FEWEST:
        return []
    middle, limit = median(values), 2 * spread_of(values)
    sides = (0 if abs(value - middle) <= limit else value > middle or -1 for value in values)
    at = 0
    for side, same in groupby(sides):
        begin, at = at, at + len(list(same))
        is_inside = begin >= _FEWEST and len(values) - at >= _FEWEST
        rest = [*values[:begin], *values[at:]]
        if side and at - begin >= _FEWEST and is_inside and _is_shift(rest, values[begin:at]):
            return [begin, at]
    return []


def _weakest(values: Sequence[float], splits: Sequence[int]) -> int | None:
    """Return a split between levels that are no shift: two splits may leave a third without."""
    bounds = [0, *splits, len(values)]
    for start, at, end in zip(bounds, bounds[1:], bounds[2:], strict=False):
        if not _is_shift(values[start:at], values[at:end]):
            return at
    return None


def _loss(values: Sequence[float]) -> float:
    middle = median(values)
    return sum(abs(value - middle) for value in values)


def _is_shift(before: Sequence[float], after: Sequence[float]) -> bool:
    """Return whether two medians differ by more than the spread on both sides."""
    old, new = median(before), median(after)
    off = abs(new - old)
    spread = max(spread_of(before), spread_of(after))
    return off > _NOTABLE * max(abs(old), abs(new)) and off > 2 * spread
