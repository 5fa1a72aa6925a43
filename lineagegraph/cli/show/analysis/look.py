"""Seconds in tables."""

from lineagegraph.text import format_age


def took_text(seconds: float | None) -> str:
    """Return a length of time, empty for None."""
    return "" if seconds is None else format_age(seconds)
