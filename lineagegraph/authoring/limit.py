"""What keeps a trigger's run back; `otherwise="wait"` holds it, else it is given up."""

from __future__ import annotations

from datetime import time

from lineagegraph.authoring.declared import declared
from lineagegraph.authoring.durations import Duration, seconds
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.errors import DefinitionError
from lineagegraph.model.triggers.constraint import (
    Concurrency,
    Delay,
    Gap,
    Otherwise,
    Rate,
    TimeRange,
)


def concurrency(runs: int, *, otherwise: str = "abort") -> Concurrency:
    """At most so many runs of the job at once, whoever started them."""
    return Concurrency(limit=runs, otherwise=_otherwise(otherwise, caller()))


def delay(span: Duration, *, since: str = "satisfied") -> Delay:
    """The run starts that much later than its condition was `satisfied`, or `first` began to be."""
    return Delay(seconds=seconds(span, "delay", caller()), since=since)


def gap(span: Duration, *, otherwise: str = "abort") -> Gap:
    """That much time has gone since the last run of the job began."""
    origin = caller()
    return Gap(seconds=seconds(span, "gap", origin), otherwise=_otherwise(otherwise, origin))


def between(
    start: str, end: str, *, zone: str | None = None, otherwise: str = "abort"
) -> TimeRange:
    """The time of day is in a range such as 22:00 to 02:00; the end itself is out."""
    origin = caller()
    return TimeRange(
        start=_time(start, origin),
        end=_time(end, origin),
        zone=zone or declared().zone,
        otherwise=_otherwise(otherwise, origin),
    )


def rate(runs: int, span: Duration, *, otherwise: str = "abort") -> Rate:
    """At most so many runs of the trigger in that much time."""
    origin = caller()
    return Rate(
        limit=runs,
        seconds=seconds(span, "rate", origin),
        otherwise=_otherwise(otherwise, origin),
    )


def _time(text: str, origin: Origin) -> time:
    try:
        return time.fromisoformat(text)
    except (ValueError, TypeError):
        raise DefinitionError(
            f"{origin}: {text!r} is no time of day: write it as '22:00'"
        ) from None


def _otherwise(text: str, origin: Origin) -> Otherwise:
    if text not in list(Otherwise):
        raise DefinitionError(f"{origin}: otherwise={text!r}: use 'abort' or 'wait'")
    return Otherwise(text)
