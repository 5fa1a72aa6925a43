"""Seconds as text in tables."""

from lineagegraph.text import format_age


def format_seconds(seconds: float | None) -> str:
    """Return a duration in seconds as text, empty for None."""
    return "" if seconds is None else format_age(seconds)
