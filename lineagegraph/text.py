"""Durations, ages and counts as text: the one vocabulary of settings, definitions and answers.

A duration is one or more numbers with units, the largest first: `500ms`, `90s`, `1h 30m`, `4w`.
All that is written here can be read back.
"""

import re
from datetime import timedelta
from itertools import pairwise

Duration = str | int | float | timedelta

_SECONDS = {"w": 604800.0, "d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_PART = r"(\d+(?:\.\d+)?)\s*(ms|[wdhms])"
_WRITTEN = re.compile(rf"\s*{_PART}(?:\s*{_PART})*\s*")
_UNITS = (("d", 86400), ("h", 3600), ("m", 60))


def read_duration(duration: object) -> float | None:
    """Return a duration in seconds, None if it is none or negative; a plain number is seconds."""
    value = _seconds(duration)
    return value if value is not None and 0 <= value < float("inf") else None


def format_duration(seconds: float) -> str:
    """Return a duration exactly, to the millisecond: `1d 12h`, `1m 30s`, `0.25s`."""
    sign, rest = ("-", -seconds) if seconds < 0 else ("", seconds)
    rest = round(rest, 3)
    parts = []
    for unit, size in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count:.0f}{unit}")
    rest = round(rest, 3)
    return sign + " ".join([*parts, f"{rest:g}s"] if rest or not parts else parts)


def format_age(seconds: float | None) -> str:
    """Return a length of time in its two largest units: `4.2s`, `2h 5m`; `never` for None."""
    if seconds is None:
        return "never"
    whole = round(max(seconds, 0), 1) if seconds < 60 else int(seconds)
    return " ".join(format_duration(whole).split()[:2])


def format_count(number: int, noun: str) -> str:
    """Return a number of things: `1 row`, `2,000 rows`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _seconds(duration: object) -> float | None:
    match duration:
        case timedelta():
            return duration.total_seconds()
        case bool():
            return None
        case int() | float():
            return float(duration)
        case str() if _WRITTEN.fullmatch(duration):
            parts = [(float(n), _SECONDS[unit]) for n, unit in re.findall(_PART, duration)]
            sizes = [size for _, size in parts]
            is_falling = all(a > b for a, b in pairwise(sizes))
            return sum(n * size for n, size in parts) if is_falling else None
    return None
