"""How high each box of a layered drawing stands: near its neighbours, and never on another."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

K = TypeVar("K", bound=Hashable)
_BETWEEN = 20.0
_LINE = 9.0
_SWEEPS = 16
_WEIGHTS = (1.0, 2.0, 8.0)
"""How hard a line pulls where none, one or both of its ends are bends: long lines are straight."""


class Joint(NamedTuple, Generic[K]):
    """Two spots in neighbouring layers that a line joins, that far below their middles."""

    left: K
    right: K
    below_left: float
    below_right: float


class _Pull(NamedTuple, Generic[K]):
    other: K
    shift: float
    weight: float


def stack_layers(
    layers: Sequence[Sequence[K]], joints: Sequence[Joint[K]], height: Callable[[K], float]
) -> tuple[dict[K, float], float]:
    """Return the middle of each spot, from 0 at the top of the topmost, and the lowest bottom."""
    pulls: dict[K, list[_Pull[K]]] = {spot: [] for layer in layers for spot in layer}
    for left, right, below_left, below_right in joints:
        weight = _WEIGHTS[(height(left) == 0) + (height(right) == 0)]
        pulls[left].append(_Pull(right, below_right - below_left, weight))
        pulls[right].append(_Pull(left, below_left - below_right, weight))
    gaps = [_gaps(layer, height) for layer in layers]
    at = {
        spot: y for layer, gap in zip(layers, gaps, strict=True) for spot, y in _tight(layer, gap)
    }
    for sweep in range(_SWEEPS):
        order = range(len(layers)) if sweep % 2 == 0 else reversed(range(len(layers)))
        for number in order:
            wanted = [_wanted(spot, pulls, at) for spot in layers[number]]
            at.update(zip(layers[number], _spread(wanted, gaps[number]), strict=True))
    top = min((y - height(spot) / 2 for spot, y in at.items()), default=0.0)
    bottom = max((y + height(spot) / 2 for spot, y in at.items()), default=0.0)
    return {spot: y - top for spot, y in at.items()}, bottom - top


def _gaps(layer: Sequence[K], height: Callable[[K], float]) -> list[float]:
    """Return how far each spot is below the one above it, at least."""
    halves = [height(spot) / 2 for spot in layer]
    return [0.0] + [
        above + below + (_BETWEEN if above and below else _LINE)
        for above, below in pairwise(halves)
    ]


def _tight(layer: Sequence[K], gaps: Sequence[float]) -> list[tuple[K, float]]:
    y = -sum(gaps) / 2
    places = []
    for spot, gap in zip(layer, gaps, strict=True):
        y += gap
        places.append((spot, y))
    return places


def _wanted(spot: K, pulls: Mapping[K, list[_Pull[K]]], at: Mapping[K, float]) -> float:
    if not pulls[spot]:
        return at[spot]
    total = sum(weight for _, _, weight in pulls[spot])
    return sum((at[other] + shift) * weight for other, shift, weight in pulls[spot]) / total


def _spread(wanted: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Return the places nearest to the wanted ones, by least squares, that keep the gaps.

    Without the gaps this is isotonic regression, done by pooling neighbours that are out of order.
    """
    floors, floor = [], 0.0
    for gap in gaps:
        floor += gap
        floors.append(floor)
    pools: list[tuple[float, int]] = []
    for wish, floor in zip(wanted, floors, strict=True):
        total, count = wish - floor, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            total, count = total + pools[-1][0], count + pools[-1][1]
            pools.pop()
        pools.append((total, count))
    places = [total / count for total, count in pools for _ in range(count)]
    return [place + floor for place, floor in zip(places, floors, strict=True)]
