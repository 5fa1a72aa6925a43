"""Limits of a trigger's runs; `otherwise="wait"` holds a run back, `"abort"` drops it."""

from __future__ import annotations

from datetime import time

from lineagegraph.authoring import on
from lineagegraph.authoring.checked_values import Duration, seconds
from lineagegraph.authoring.declared import declared
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.errors import DefinitionError
from lineagegraph.model.triggers.constraint import (
    Concurrency,
    Delay,
    Gap,
    NotFailing,
    Otherwise,
    Rate,
    TimeRange,
)


def concurrency(runs: int, *, otherwise: str = "abort") -> Concurrency:
    """Limit the runs of the job at one time, including those with another cause."""
    return Concurrency(limit=runs, otherwise=_otherwise(otherwise, caller()))


def delay(span: Duration, *, since: str = "satisfied") -> Delay:
    """Delay the run after its condition was `satisfied`, or after it was `first` partly met."""
    return Delay(seconds=seconds(span, "delay", caller()), since=since)


def gap(span: Duration, *, otherwise: str = "abort") -> Gap:
    """Require a time since the last run of the job was queued, or first heard of."""
    origin = caller()
    return Gap(seconds=seconds(span, "gap", origin), otherwise=_otherwise(otherwise, origin))


def between(
    start: str, end: str, *, zone: str | None = None, otherwise: str = "abort"
) -> TimeRange:
    """Require a time of day, such as 22:00 to 02:00; the end is excluded."""
    origin = caller()
    return TimeRange(
        start=_time(start, origin),
        end=_time(end, origin),
        zone=zone or declared().zone,
        otherwise=_otherwise(otherwise, origin),
    )


def rate(runs: int, span: Duration, *, otherwise: str = "abort") -> Rate:
    """Limit the runs of the trigger within a period."""
    origin = caller()
    return Rate(
        limit=runs,
        seconds=seconds(span, "rate", origin),
        otherwise=_otherwise(otherwise, origin),
    )


def not_failing(job: on.Job, *, otherwise: str = "abort") -> NotFailing:
    """Require that the job has not FAILED since its last success, whatever the trigger consumed."""
    found = on.failure(job)
    return NotFailing(
        job=found.job, namespace=found.namespace, otherwise=_otherwise(otherwise, caller())
    )


def _time(text: str, origin: Origin) -> time:
    try:
        return time.fromisoformat(text)
    except (ValueError, TypeError):
        raise DefinitionError(
            f"{origin}: {text!r} is not a time of day: write it as '22:00'"
        ) from None


def _otherwise(text: str, origin: Origin) -> Otherwise:
    if text not in list(Otherwise):
        raise DefinitionError(f"{origin}: otherwise={text!r}: use 'abort' or 'wait'")
    return Otherwise(text)
