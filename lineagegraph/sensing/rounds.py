"""The start time of each round of a repeated query."""

from dataclasses import dataclass
from datetime import datetime, timedelta

_WHOLE_EVERY = timedelta(seconds=30)


@dataclass(frozen=True)
class Round:
    """One round: the time since which it queries, None for everything, and its own start."""

    since: datetime | None
    began_at: datetime
    number: int


class Rounds:
    """Most rounds query the changes since the last one; now and then one queries everything.

    A slow transaction is dated earlier than its commit, so rounds overlap.
    """

    def __init__(self) -> None:
        self._since: datetime | None = None
        self._whole_at: datetime | None = None
        self._number = 0

    def begin(self, now: datetime) -> Round:
        """Return the round that begins now."""
        is_whole = self._whole_at is None or abs(now - self._whole_at) > _WHOLE_EVERY
        return Round(None if is_whole else self._since, now, self._number)

    def end(self, one: Round, since: datetime | None) -> bool:
        """Let the next round query the changes since a time.

        Return False if all was reset during this round: it read the state before.
        """
        if one.number != self._number:
            return False
        self._since = since
        if one.since is None:
            self._whole_at = one.began_at
        return True

    def reset(self) -> None:
        """Query everything in the next round."""
        self._since = self._whole_at = None
        self._number += 1
