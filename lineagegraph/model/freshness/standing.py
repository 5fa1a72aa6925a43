"""Standing of a job or dataset under its freshness terms, as a function of the time."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from math import isfinite

import msgspec

from lineagegraph.errors import InvalidFreshness, InvalidRule
from lineagegraph.model.freshness.terms import DAY, POINTS, Freshness, next_day
from lineagegraph.model.triggers.cron import check_cron, check_zone, next_time

GRACE = 1800.0
_END = datetime.max.replace(tzinfo=UTC)


class FreshState(StrEnum):
    """A freshness state: `due` has lapsed, but is not late yet.

    `unknown` never succeeded, within the grace after its terms were defined.
    """

    FRESH = "fresh"
    DUE = "due"
    STALE = "stale"
    UNKNOWN = "unknown"


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """Freshness terms of a job or dataset; it is late `grace` seconds after they lapsed.

    If its batch has a schedule (`awaits`, a cron expression), the grace begins at the next time of
    that schedule: a batch due at two is not late at midnight. With `per`, each value of that
    partition key must meet the terms by itself: those that were seen, and the `expected` ones. A
    `sensor` of that name answers when a source was last new that nobody reports.
    """

    freshness: Freshness
    grace: float = GRACE
    awaits: str | None = None
    awaits_zone: str | None = None
    per: str | None = None
    expected: tuple[str, ...] = ()
    sensor: str | None = None


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A state with its `age` in seconds, and the times at which it began and will end."""

    state: FreshState
    age: float | None = None
    since: datetime | None = None
    until: datetime | None = None


def judge(
    terms: Terms,
    last: datetime | None,
    now: datetime,
    zone: str = "UTC",
    *,
    defined: datetime | None = None,
) -> Judged:
    """Return the freshness of something whose last success was at `last`.

    A success in the future counts as one of now. Without a success, the grace begins when the terms
    were `defined`.
    """
    if last is None:
        late = late_at(terms, defined) if defined else None
        if late is None or now < late:
            return Judged(state=FreshState.UNKNOWN, since=defined, until=late)
        return Judged(state=FreshState.STALE, since=late)
    last = min(last, now)
    age = (now - last).total_seconds()
    lapse = lapse_of(terms.freshness, last, zone)
    late = late_at(terms, lapse)
    if now < lapse:
        return Judged(state=FreshState.FRESH, age=age, since=last, until=lapse)
    if now < late:
        return Judged(state=FreshState.DUE, age=age, since=lapse, until=late)
    return Judged(state=FreshState.STALE, age=age, since=late)


def judge_unanswered(judged: Judged, failing_since: datetime, terms: Terms) -> Judged:
    """Return the freshness of a source whose sensor fails: unknown, until it would be stale."""
    if judged.state is FreshState.STALE:
        return judged
    until = judged.until
    if judged.state is FreshState.FRESH and until:
        until = late_at(terms, until)
    return Judged(state=FreshState.UNKNOWN, age=judged.age, since=failing_since, until=until)


def lapse_of(terms: Freshness, last: datetime, zone: str = "UTC") -> datetime:
    """Return the first moment at which a success at `last` no longer meets the terms."""
    found = [_END]
    if terms.max_age is not None:
        # At that age to the microsecond it still does.
        found.append(_plus(last, terms.max_age + 1e-6))
    if terms.since is not None:
        found.append(_next_point(terms.since, terms.zone or zone, last))
    return min(found)


def late_at(terms: Terms, lapse: datetime) -> datetime:
    """Return the time at which a lapsed success becomes stale."""
    if terms.awaits is None or lapse == _END:
        return _plus(lapse, terms.grace)
    first = next_time(terms.awaits, terms.awaits_zone or "UTC", lapse - timedelta(seconds=1))
    return _plus(first, terms.grace)


def _next_point(since: str, zone: str, after: datetime) -> datetime:
    try:
        if since == DAY:
            return next_day(after, zone)
        return next_time(POINTS.get(since, since), zone, after)
    except OverflowError:  # the first day of year 1 is none in the west
        return after


def _plus(at: datetime, seconds: float) -> datetime:
    try:
        return at + timedelta(seconds=seconds)
    except OverflowError:
        return _END


MOST_EXPECTED = 1000
_CENTURY = 100 * 365 * 86400.0


def checked_terms(terms: Terms) -> Terms:
    """Return the terms; raise `InvalidFreshness` if they are invalid."""
    fresh = terms.freshness
    if fresh.max_age is None and fresh.since is None:
        raise InvalidFreshness("freshness terms need a max age, a since, or both")
    if fresh.max_age is not None and not _is_length(fresh.max_age, least=1e-3):
        raise InvalidFreshness(
            f"max age {fresh.max_age:g} s: use more than 0 s and at most 100 years"
        )
    if not _is_length(terms.grace, least=0):
        raise InvalidFreshness(f"grace {terms.grace:g} s: use 0 s or more and at most 100 years")
    try:
        _check_since(fresh.since, fresh.zone)
    except InvalidRule as error:
        raise InvalidFreshness(f"{error}") from None
    _check_parts(terms)
    if terms.sensor is not None and (terms.per is not None or fresh.counts is not None):
        raise InvalidFreshness("a sensor answers one time: it does not go with per or counts")
    return terms


def _check_parts(terms: Terms) -> None:
    if terms.per is not None and not terms.per.strip():
        raise InvalidFreshness("per: name a partition key, such as region")
    if terms.expected and terms.per is None:
        raise InvalidFreshness("expected values need per, the partition key that they belong to")
    if len(terms.expected) > MOST_EXPECTED:
        raise InvalidFreshness(
            f"{len(terms.expected)} expected values: use at most {MOST_EXPECTED:,}"
        )


def _check_since(since: str | None, zone: str | None) -> None:
    if since is not None and since != DAY and since not in POINTS:
        if len(since.split()) != 5:
            raise InvalidFreshness(f"since {since!r}: use day, hour or a cron expression")
        check_cron(since, zone or "UTC")
    if zone is not None:
        check_zone(zone)


def _is_length(seconds: float, least: float) -> bool:
    return isfinite(seconds) and least <= seconds <= _CENTURY
