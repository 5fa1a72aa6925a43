"""The time at which a source was last new, as the answer of a sensor has it."""

from datetime import UTC, datetime
from typing import Any

TIME_NAME = "at"
"""The name of the time in a sensor's answer."""


def read_source_time(value: Any) -> datetime | None:
    """Return the time in an answer's values; None without a valid one.

    It is a text in ISO 8601, in UTC without a zone, or the seconds since 1970.
    """
    stated = value.get(TIME_NAME) if isinstance(value, dict) else None
    try:
        if isinstance(stated, str):
            at = datetime.fromisoformat(stated.strip())
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
        if isinstance(stated, int | float) and not isinstance(stated, bool):
            return datetime.fromtimestamp(stated, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
