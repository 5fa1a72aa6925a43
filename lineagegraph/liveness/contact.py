"""Contact with the graph: whether it lasts long enough to judge others as silent."""

import time
from collections.abc import Callable


class Contact:
    """The time since which heartbeats have reached the graph without a gap.

    While the graph is away no process can renew a lease; after its return all get one `term` for
    it.
    """

    def __init__(
        self, *, gap: float, term: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._gap = gap
        self._term = term
        self._clock = clock
        self._last = self._since = float("-inf")

    def note(self) -> None:
        """Note that a sign of life has arrived."""
        now = self._clock()
        if now - self._last > self._gap:
            self._since = now
        self._last = now

    @property
    def is_steady(self) -> bool:
        """Whether the last sign is recent, and all of the last term was without a gap."""
        now = self._clock()
        return now - self._last <= self._gap and now - self._since >= self._term
