"""Vertical positions of the boxes of a layered drawing: near their neighbours, without overlaps."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

_BETWEEN = 20.0
_LINE = 9.0
_WEIGHTS = (1.0, 2.0, 8.0)
"""Tension of a line if none, one or both of its ends are bends: long lines become straight."""


class Joint(NamedTuple):
    """Two spots in neighbouring layers joined by a line, with its offsets below their middles."""

    left: int
    right: int
    below_left: float
    below_right: float


class _Wish(NamedTuple):
    """A spot's target: `shift` below the weighted mean of other spots; the weights sum to 1."""

    shift: float
    others: list[tuple[int, float]]


def stack_layers(
    layers: Sequence[Sequence[int]],
    joints: Sequence[Joint],
    heights: Sequence[float],
    sweeps: int,
) -> tuple[list[float], float]:
    """Return the middle of each spot, from 0 at the top of the topmost, and the lowest bottom.

    Bends have no height.
    """
    wishes = _wishes(joints, heights)
    floors = [_floors(layer, heights) for layer in layers]
    at = [0.0] * len(heights)
    for layer, floor in zip(layers, floors, strict=True):
        for spot, y in zip(layer, floor, strict=True):
            at[spot] = y - floor[-1] / 2
    for sweep in range(sweeps):
        order = range(len(layers)) if sweep % 2 == 0 else reversed(range(len(layers)))
        for number in order:
            wanted = [_wanted(spot, wishes[spot], at) for spot in layers[number]]
            for spot, y in zip(layers[number], _spread(wanted, floors[number]), strict=True):
                at[spot] = y
    top = min((y - height / 2 for y, height in zip(at, heights, strict=True)), default=0.0)
    bottom = max((y + height / 2 for y, height in zip(at, heights, strict=True)), default=0.0)
    return [y - top for y in at], bottom - top


def _wishes(joints: Sequence[Joint], heights: Sequence[float]) -> list[_Wish | None]:
    pulls: list[list[tuple[int, float, float]]] = [[] for _ in heights]
    for left, right, below_left, below_right in joints:
        weight = _WEIGHTS[(heights[left] == 0) + (heights[right] == 0)]
        pulls[left].append((right, below_right - below_left, weight))
        pulls[right].append((left, below_left - below_right, weight))
    return [_wish(pull) if pull else None for pull in pulls]


def _wish(pulls: list[tuple[int, float, float]]) -> _Wish:
    total = sum(weight for _, _, weight in pulls)
    shift = sum(shift * weight for _, shift, weight in pulls) / total
    return _Wish(shift, [(other, weight / total) for other, _, weight in pulls])


def _wanted(spot: int, wish: _Wish | None, at: Sequence[float]) -> float:
    if wish is None:
        return at[spot]
    return wish.shift + sum([at[other] * weight for other, weight in wish.others])


def _floors(layer: Sequence[int], heights: Sequence[float]) -> list[float]:
    """Return the minimum distance of each spot from the first of its layer."""
    gaps = [
        (above + below) / 2 + (_BETWEEN if above and below else _LINE)
        for above, below in pairwise([heights[spot] for spot in layer])
    ]
    return list(accumulate(gaps, initial=0.0)) if layer else []


def _spread(wanted: Sequence[float], floors: Sequence[float]) -> list[float]:
    """Return the positions nearest to the wanted ones, by least squares, that keep the gaps.

    Without the gaps this is isotonic regression, done by pooling neighbours that are out of order.
    """
    pools: list[tuple[float, int]] = []
    for wish, floor in zip(wanted, floors, strict=True):
        total, count = wish - floor, 1
        while pools and pools[-1][0] * count > total * pools[-1][1]:
            above, more = pools.pop()
            total, count = total + above, count + more
        pools.append((total, count))
    places = [total / count for total, count in pools for _ in range(count)]
    return [place + floor for place, floor in zip(places, floors, strict=True)]
