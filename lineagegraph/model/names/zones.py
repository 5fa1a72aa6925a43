"""Names of time zones."""

from zoneinfo import ZoneInfo


def find_zone(name: str) -> ZoneInfo:
    """Return the time zone of a name; raise `ValueError` if there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError, TypeError):
        raise ValueError(f"{name!r} is not a time zone: use a name such as Europe/Berlin") from None
