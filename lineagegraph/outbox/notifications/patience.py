"""How long to go on with what does not arrive."""

from dataclasses import dataclass
from datetime import timedelta

_MOST_DOUBLED = 30


@dataclass(frozen=True, slots=True)
class Patience:
    """How often something is tried, and with what pauses: each twice as long as the one before.

    Without `attempts` it is tried for ever. Within its `lease` a sender must be done with what it
    took, or another sends that as well.
    """

    attempts: int | None = 12
    pause: timedelta = timedelta(seconds=5)
    longest: timedelta = timedelta(hours=1)
    lease: timedelta = timedelta(minutes=2)
    stranded: timedelta = timedelta(days=1)
    kept: timedelta = timedelta(days=30)

    def is_over(self, attempts: int) -> bool:
        """Say whether so many attempts are more than there are to be."""
        return self.attempts is not None and attempts > self.attempts

    def after(self, attempts: int) -> timedelta | None:
        """Return how long to wait after so many attempts; None where they were enough."""
        if self.is_over(attempts + 1):
            return None
        return self.pause_after(attempts)

    def pause_after(self, attempts: int) -> timedelta:
        """Return how long to wait after so many attempts, were they not enough."""
        return min(self.longest, self.pause * (1 << min(attempts - 1, _MOST_DOUBLED)))
