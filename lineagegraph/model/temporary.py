"""Reason, author and end of what a person states for a while: a mute, a pause."""

from datetime import UTC, datetime
from typing import TypeVar

from lineagegraph.errors import LineagegraphError
from lineagegraph.model.actor import this_person
from lineagegraph.secrets import mask_text
from lineagegraph.text import one_line

_LONGEST = 2_000
T = TypeVar("T")


def checked_reason(
    reason: str, author: str | None, refusal: type[LineagegraphError]
) -> dict[str, str]:
    """Return `reason` as a masked line and `author`, this person by default; or raise `refusal`."""
    line = one_line(reason, _LONGEST)
    if line is None:
        raise refusal(f"give a reason: one line of at most {_LONGEST} characters")
    return {"reason": mask_text(line), "author": author or this_person()}


def in_utc(time: datetime, refusal: type[LineagegraphError]) -> datetime:
    """Return a time in UTC; raise `refusal` if it is outside the years 1 to 9999 there."""
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise refusal(f"{time.isoformat()} is outside the years 1 to 9999 in UTC") from None


def checked_end(what: str, written: T | None, refusal: type[LineagegraphError]) -> T:
    """Return what was written; raise `refusal` for None: its end was in the past."""
    if written is None:
        raise refusal(f"{what} must end in the future")
    return written
