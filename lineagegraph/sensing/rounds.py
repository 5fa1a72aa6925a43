"""Since when a round that is taken again and again must look."""

from dataclasses import dataclass
from datetime import datetime, timedelta

_WHOLE_EVERY = timedelta(seconds=30)


@dataclass(frozen=True)
class Round:
    """One round: since when it looks, None for everything, and when it began."""

    since: datetime | None
    began_at: datetime
    number: int


class Rounds:
    """Most rounds look at what came since the last one; now and then one looks at everything.

    What takes long to be written is dated earlier than it is seen.
    """

    def __init__(self) -> None:
        self._since: datetime | None = None
        self._whole_at: datetime | None = None
        self._number = 0

    def begin(self, now: datetime) -> Round:
        """Return the round that begins now."""
        is_whole = self._whole_at is None or now - self._whole_at > _WHOLE_EVERY
        return Round(None if is_whole else self._since, now, self._number)

    def end(self, one: Round, since: datetime | None) -> bool:
        """Let the next round look at what came since a time.

        False where all began anew while this round looked: it saw what was there before.
        """
        if one.number != self._number:
            return False
        self._since = since
        if one.since is None:
            self._whole_at = one.began_at
        return True

    def begin_anew(self) -> None:
        """Look at everything next."""
        self._since = self._whole_at = None
        self._number += 1
