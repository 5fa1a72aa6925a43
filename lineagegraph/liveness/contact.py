"""Contact with the graph: whether it lasts long enough to judge others as silent."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

# No clock goes back that far, unless it is set.
_BACK_SECONDS = 1.0


class Contact:
    """The time since which heartbeats have reached the graph without a gap.

    While the graph is away no process can renew a lease; after its return all get one `term` for
    it. So do they if the database's clock was set meanwhile, or the machine slept.
    """

    def __init__(
        self, *, gap: float, term: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._gap = gap
        self._term = term
        self._clock = clock
        self._last = self._since = float("-inf")
        self._there = datetime.min.replace(tzinfo=UTC)

    def note(self, there: datetime) -> None:
        """Note that a sign of life has arrived, at that time of the database."""
        now = self._clock()
        if self._has_gap(now, there):
            self._since = now
        self._last, self._there = now, there

    def is_steady(self, there: datetime) -> bool:
        """Return whether the last sign is recent, and all of the last term was without a gap.

        `there` is the database's time.
        """
        now = self._clock()
        return not self._has_gap(now, there) and now - self._since >= self._term

    def _has_gap(self, now: float, there: datetime) -> bool:
        passed = (there - self._there).total_seconds()
        return max(now - self._last, passed) > self._gap or passed < -_BACK_SECONDS
