"""A queue of names by the time at which they are due."""

import heapq
from collections.abc import Callable
from random import random


class Agenda:
    """Names in the order in which they are due; each is there once."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, str]] = []
        self._due: dict[str, float] = {}

    def put(self, name: str, due: float) -> None:
        """Set the time at which a name is due; it replaces the earlier one."""
        self._due[name] = due
        heapq.heappush(self._heap, (due, name))

    def drop(self, name: str) -> None:
        """Forget a name."""
        self._due.pop(name, None)

    def when(self, name: str) -> float | None:
        """Return when a name is due."""
        return self._due.get(name)

    def next_due(self) -> float | None:
        """Return when the first is due."""
        self._skip_stale()
        return self._heap[0][0] if self._heap else None

    def take_due(self, now: float) -> list[tuple[str, float]]:
        """Remove and return the names that are due, with their times."""
        taken = []
        while (due := self.next_due()) is not None and due <= now:
            _, name = heapq.heappop(self._heap)
            del self._due[name]
            taken.append((name, due))
        return taken

    def _skip_stale(self) -> None:
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)


_LONGEST = 300.0
_MOST_DOUBLINGS = 10
_AFTER_ANSWER = (0.9, 1.0)
_AFTER_FIRST = (0.5, 1.0)
_AFTER_ERROR = (0.75, 1.0)


def pause(
    interval: float, *, errors: int, first: bool, draw: Callable[[], float] = random
) -> float:
    """Return the seconds until the next poke begins.

    After an answer it is never more than the interval, so that no wait exceeds its terms; sensors
    that begin together drift apart. After errors it doubles, up to five minutes or the interval.
    """
    low, high = _AFTER_ERROR if errors else _AFTER_FIRST if first else _AFTER_ANSWER
    doubled: float = interval * 2 ** min(max(errors - 1, 0), _MOST_DOUBLINGS)
    return min(doubled, max(interval, _LONGEST)) * (low + (high - low) * draw())
