"""From when and until when a pipeline is scheduled, as its author states it."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from lineagegraph.authoring.declared import declared
from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError

Day = date | datetime | str
_INSTANT = timedelta(microseconds=1)


def stated_start(start: Day | None, origin: Origin) -> datetime | None:
    """Return the first moment of a `start_date`; a day begins at midnight."""
    if start is None:
        return None
    found = _read(start, "start_date", origin)
    return _placed(found) if isinstance(found, datetime) else _midnight(found)


def stated_end(end: Day | None, start: Day | None, origin: Origin) -> datetime | None:
    """Return the last moment of an `end_date`; a day lasts until the next one begins."""
    if end is None:
        return None
    found = _read(end, "end_date", origin)
    last = (
        _placed(found)
        if isinstance(found, datetime)
        else _midnight(found + timedelta(days=1)) - _INSTANT
    )
    first = stated_start(start, origin)
    if first is not None and last < first:
        raise DefinitionError(f"{origin}: end_date {end} is before start_date {start}: swap them")
    return last


def _read(stated: object, what: str, origin: Origin) -> date | datetime:
    try:
        found = _parsed(stated)
        if not 1 < found.year < 9999:
            raise ValueError
    except ValueError:
        raise DefinitionError(
            f"{origin}: {what}={stated!r} is no day or time: give a date, a datetime or ISO 8601 "
            "text like '2026-01-31'"
        ) from None
    return found


def _parsed(stated: object) -> date | datetime:
    if isinstance(stated, str):
        text = stated.strip()
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    if not isinstance(stated, date):
        raise ValueError
    return stated


def _midnight(day: date) -> datetime:
    return _placed(datetime.combine(day, time()))


def _placed(at: datetime) -> datetime:
    """Return a time with a plain offset: a zone's rules may change, what was meant may not.

    One that the clock jumps over is as much later as it jumps.
    """
    placed = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(declared().zone))
    offset = placed.astimezone(UTC).astimezone(placed.tzinfo).utcoffset()
    return placed.astimezone(timezone(offset or timedelta()))
