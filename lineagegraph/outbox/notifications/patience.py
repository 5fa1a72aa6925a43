"""Retry policy for notifications."""

from dataclasses import dataclass
from datetime import timedelta

_MOST_DOUBLED = 30


@dataclass(frozen=True, slots=True)
class Patience:
    """The number of attempts and their pauses: each twice as long as the one before.

    Without `attempts` there is no limit. A sender must finish a message within its `lease`, or
    another process sends it as well.
    """

    attempts: int | None = 12
    pause: timedelta = timedelta(seconds=5)
    longest: timedelta = timedelta(hours=1)
    lease: timedelta = timedelta(minutes=2)
    stranded: timedelta = timedelta(days=1)
    kept: timedelta = timedelta(days=30)

    def is_over(self, attempts: int) -> bool:
        """Return whether the number of attempts exceeds the limit."""
        return self.attempts is not None and attempts > self.attempts

    def after(self, attempts: int) -> timedelta | None:
        """Return the pause after a number of attempts; None after the last."""
        if self.is_over(attempts + 1):
            return None
        return self.pause_after(attempts)

    def pause_after(self, attempts: int) -> timedelta:
        """Return how long to wait after so many attempts, were they not enough."""
        return min(self.longest, self.pause * (1 << min(attempts - 1, _MOST_DOUBLED)))
