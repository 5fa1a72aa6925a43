"""Durations, ages, counts and control characters as text: one vocabulary for all rooms.

A duration is one or more numbers with units, the largest first: `500ms`, `90s`, `1h 30m`, `4w`.
All that is written here can be read back.
"""

import re
import signal
import traceback
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise

Duration = str | int | float | timedelta

_SECONDS = {"w": 604800.0, "d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_PART = r"(\d+(?:\.\d+)?)\s*(ms|[wdhms])"
_WRITTEN = re.compile(rf"\s*{_PART}(?:\s*{_PART})*\s*")
_UNITS = (("d", 86400), ("h", 3600), ("m", 60))
# What Py4J puts before the error of Java, on a line of its own.
_OF_PY4J = re.compile(r"(Py4JJavaError: )An error occurred while calling \S+\n: ")
# A SyntaxError begins with its place.
_PLACE = re.compile(r'([\w.]+: )?File "')


def signal_name(number: int) -> str:
    """Return the name of a signal, such as `SIGKILL`; of those without a name, `signal 40`."""
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


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


def format_moment(at: datetime) -> str:
    """Return a time for a stored message, to the second: `at 2026-11-22T09:55:00Z`."""
    return f"at {at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def format_local(at: datetime, zone: tzinfo | None = None) -> str:
    """Return a time in a zone, or this machine's, to the second: `2026-11-22 09:55:00 UTC`."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"


def duration(started_at: datetime | None, ended_at: datetime | None) -> timedelta | None:
    """Return the duration of something, up to now if it has not ended."""
    if started_at is None:
        return None
    return max((ended_at or datetime.now(UTC)) - started_at, timedelta())


def with_ages(message: str, now: datetime | None = None) -> str:
    """Return a stored message with its times as ages at its display: `4m 47s ago`."""
    shown = now or datetime.now(UTC)
    return _MOMENT.sub(lambda one: _format_ago(one[1], shown), message)


_MOMENT = re.compile(r"\bat (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)")


def _format_ago(moment: str, now: datetime) -> str:
    age = (now - datetime.fromisoformat(moment)).total_seconds()
    return f"{format_age(age)} ago" if age >= 0 else f"at {moment}"


def format_count(number: int, noun: str) -> str:
    """Return a number of things: `1 row`, `2,000 rows`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str, keep: str = "") -> str:
    r"""Return a text with its control characters as `\x1b`, `\n` or `\u202e`, except those to keep.

    They could clear a terminal, hide a part of a name, or end a line of a log.
    """
    return _UNSEEN.sub(lambda one: one[0] if one[0] in keep else _escaped(one[0]), text)


def storable(text: str) -> str:
    r"""Return a text with lone surrogates as `\udce9`: JSON and the graph cannot have them.

    Python uses them for the bytes of file names and variables that are not UTF-8.
    """
    return text.encode(errors="backslashreplace").decode()


def without_middle(text: str, most: int) -> str:
    """Return a text; of one with more characters than `most` the head and the end."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} … {len(text) - 2 * half:,} characters are left out … {text[-half:]}"


def first_line(text: str | None) -> str:
    """Return the first line with text in it."""
    return next((line.strip() for line in (text or "").splitlines() if line.strip()), "")


def describe_error(error: BaseException) -> str:
    """Return the type and the message of an error; that of Java is on the first line."""
    text = "".join(traceback.format_exception_only(error)).strip()
    return storable(_OF_PY4J.sub(r"\1", text, count=1))


def headline(error: str) -> str:
    """Return the line of a described error that names it."""
    line = first_line(error)
    return error.strip().splitlines()[-1] if _PLACE.match(line) else line


def one_line(text: str, most: int) -> str | None:
    """Return a typed text as one line; None if it is empty, too long or has control characters."""
    line = " ".join(text.split())
    return line if line and line.isprintable() and len(line) <= most else None


def escape_json(text: str) -> str:
    r"""Return a text of JSON with the control characters that JSON allows as `\u202e`."""
    return _UNSEEN.sub(lambda one: "\n" if one[0] == "\n" else escape_units(one[0]), text)


def escape_units(letter: str) -> str:
    r"""Return a character as JSON escapes it, such as `\u202e`."""
    code = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{code[at : at + 4]}" for at in range(0, len(code), 4))


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape", "surrogatepass").decode()


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
