"""Periods of schedules, and the greatest age of a success that can be fresh."""

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import islice, pairwise

from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.triggers.condition import OnCron, OnInterval
from lineagegraph.model.triggers.cron import times_after
from lineagegraph.model.triggers.trigger import Trigger

_POINTS = 60
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
_SPANS = {"day": 86400.0, "hour": 3600.0}


def periods(triggers: Iterable[Trigger]) -> set[float]:
    """Return the seconds between the times of schedules; empty without a schedule."""
    found: set[float] = set()
    for trigger in triggers:
        match trigger.when:
            case OnCron(cron=cron, zone=zone):
                found |= _gaps(cron, zone)
            case OnInterval(seconds=seconds):
                found.add(seconds)
    return found


def longest_age(terms: Freshness) -> float:
    """Return the greatest age at which a success can meet terms, at any time of asking."""
    ages = [] if terms.max_age is None else [terms.max_age]
    if terms.since is not None:
        ages.append(_SPANS.get(terms.since) or max(_gaps(terms.since, terms.zone or "UTC")))
    return min(ages, default=float("inf"))


def _gaps(cron: str, zone: str) -> set[float]:
    times = islice(times_after(cron, zone, _BEGIN), _POINTS)
    return {(later - earlier).total_seconds() for earlier, later in pairwise(times)}
