"""How long a sensor rests between two pokes."""

from collections.abc import Callable
from random import random

_LONGEST = 300.0
_MOST_DOUBLINGS = 10
_AFTER_ANSWER = (0.9, 1.0)
_AFTER_FIRST = (0.5, 1.0)
_AFTER_ERROR = (0.75, 1.0)


def pause(
    interval: float, *, errors: int, first: bool, draw: Callable[[], float] = random
) -> float:
    """Return the seconds until the next poke begins.

    Never more than the interval after an answer, so that nobody waits longer than was asked for;
    sensors that begin together come apart. After errors it doubles, as far as five minutes or the
    interval.
    """
    low, high = _AFTER_ERROR if errors else _AFTER_FIRST if first else _AFTER_ANSWER
    doubled: float = interval * 2 ** min(max(errors - 1, 0), _MOST_DOUBLINGS)
    return min(doubled, max(interval, _LONGEST)) * (low + (high - low) * draw())
