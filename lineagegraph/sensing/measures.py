"""Counts and delays of one sensor process, for monitoring."""

import time
from collections import deque
from collections.abc import Callable
from typing import Any

_WINDOW = 300.0


class Measures:
    """Counts pokes; remembers for five minutes how late they began and how long rounds took."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.pokes = 0
        self.errors = 0
        self._lags: deque[tuple[float, float]] = deque()
        self._rounds: deque[tuple[float, float]] = deque()

    def note_poke(self, *, failed: bool) -> None:
        """Count a poke that ended."""
        self.pokes += 1
        self.errors += failed

    def note_lag(self, seconds: float) -> None:
        """Remember how long after it was due a poke began."""
        self._note(self._lags, seconds)

    def note_round(self, seconds: float) -> None:
        """Remember how long it took until all that was due together had answered."""
        self._note(self._rounds, seconds)

    @property
    def lag(self) -> float:
        """The lag that 19 of 20 pokes kept to."""
        lags = sorted(self._recent(self._lags))
        return lags[len(lags) * 95 // 100] if lags else 0.0

    @property
    def round(self) -> float:
        """The longest round."""
        return max(self._recent(self._rounds), default=0.0)

    def summary(self, watched: int) -> dict[str, Any]:
        """Return the numbers, as the graph keeps them."""
        return {
            "watched": watched,
            "pokes": self.pokes,
            "errors": self.errors,
            "lag_seconds": self.lag,
            "round_seconds": self.round,
        }

    def _note(self, into: deque[tuple[float, float]], seconds: float) -> None:
        into.append((self._clock(), seconds))

    def _recent(self, of: deque[tuple[float, float]]) -> list[float]:
        while of and of[0][0] < self._clock() - _WINDOW:
            of.popleft()
        return [seconds for _, seconds in of]
