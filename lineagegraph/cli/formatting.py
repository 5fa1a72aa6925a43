"""Times, durations and ids as text for a terminal."""

import re
from datetime import datetime

from rich.filesize import decimal

from lineagegraph.client.formatting import state_text as state_text
from lineagegraph.text import duration, format_age, format_local
from lineagegraph.text import first_line as first_line

_STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4}")
_ID_START = 13
_ID_END = 12


def took(started_at: datetime | None, ended_at: datetime | None) -> str:
    """Return the duration of something, up to now if it has not ended."""
    length = duration(started_at, ended_at)
    return "" if length is None else format_age(length.total_seconds())


def clock(at: datetime | None) -> str:
    """Return a time in the machine's zone, to the second and with the zone."""
    return format_local(at) if at else ""


def moment(at: datetime | None, wide: bool) -> str:
    """Return a time like `clock`; on a narrow terminal, without the date if it is today."""
    if at is None or wide or at.astimezone().date() != datetime.now().astimezone().date():
        return clock(at)
    return f"{at.astimezone():%H:%M:%S %Z}"


def reason(text: str | None, wide: bool = True) -> str:
    """Return a firing's reason with its times formatted by `moment`."""
    return _STAMP.sub(lambda at: moment(datetime.fromisoformat(at[0]), wide), text or "")


def run_id(whole: str, wide: bool) -> str:
    """Return a run's id; on a narrow terminal its random end, which commands accept too.

    Ids start with a time, so that runs of one millisecond have the same first 13 characters.
    """
    return whole if wide else whole[-_ID_END:]


def skip_id(whole: str, wide: bool) -> str:
    """Return the id of an entry of the skip list; on a narrow terminal its first characters."""
    return whole if wide else whole[:_ID_START]


def format_git(commit: str | None, branch: str | None, dirty: bool | None) -> str:
    """Return a repository's state: the commit, the branch, and whether files were changed."""
    if not commit:
        return ""
    said = (commit[:10], f"({branch})" if branch else "", "with changes" if dirty else "")
    return " ".join(filter(None, said))


def count(number: int | None) -> str:
    """Return a number with thousands separators."""
    return "" if number is None else f"{number:,}"


def size(number: int | None) -> str:
    """Return a number of bytes with a unit."""
    return "" if number is None else decimal(number)
