"""How fresh something is by its terms, as a function of the time."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.errors import InvalidFreshness
from lineagegraph.model.freshness.standing import (
    FreshState,
    Terms,
    checked_terms,
    judge,
    judge_unanswered,
)
from lineagegraph.model.freshness.terms import TODAY, Freshness

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ZONES = ["UTC", "Asia/Dubai", "Europe/Berlin", "America/New_York", "Asia/Beirut", "Asia/Kolkata"]
SINCE = ["day", "hour", "30 2 * * *", "0 */6 * * 1-5", "15 0 1 * *"]
ORDER = [FreshState.FRESH, FreshState.DUE, FreshState.STALE]

FIRST = datetime(2025, 1, 1, tzinfo=UTC)

spans = st.integers(0, 26_000).map(HOUR.__mul__) | st.timedeltas(HOUR * 0, HOUR * 26_000)
times = spans.map(FIRST.__add__)
freshness = st.builds(
    Freshness,
    max_age=st.none() | st.floats(1, 1e7),
    since=st.sampled_from(SINCE),
    zone=st.none() | st.sampled_from(ZONES),
)
terms = st.builds(Terms, freshness=freshness, grace=st.floats(0, 1e6))


@given(terms, times, times, st.sampled_from(ZONES))
def test_fresh_is_what_meets_the_terms_of_now(
    terms: Terms, last: datetime, now: datetime, zone: str
) -> None:
    meets = min(last, now) >= terms.freshness.threshold(now, now, zone)
    assert (judge(terms, last, now, zone).state is FreshState.FRESH) == meets


@given(terms, times, st.lists(times, min_size=2), st.sampled_from(ZONES))
def test_without_a_new_success_things_only_get_worse(
    terms: Terms, last: datetime, nows: list[datetime], zone: str
) -> None:
    states = [judge(terms, last, now, zone).state for now in sorted(nows)]
    assert states == sorted(states, key=ORDER.index)


@given(terms, times, times, times, st.sampled_from(ZONES))
def test_a_newer_success_never_makes_things_worse(
    terms: Terms, one: datetime, other: datetime, now: datetime, zone: str
) -> None:
    old, new = (judge(terms, last, now, zone).state for last in sorted([one, other]))
    assert ORDER.index(new) <= ORDER.index(old)


@given(terms, times, times, st.sampled_from(ZONES))
def test_a_state_ends_at_the_time_that_it_says(
    terms: Terms, last: datetime, now: datetime, zone: str
) -> None:
    last = min(last, now)
    judged = judge(terms, last, now, zone)
    assert judged.since is not None
    assert judged.since <= now
    if judged.until is not None:
        assert judge(terms, last, judged.until, zone).state is not judged.state
        assert judge(terms, last, max(now, judged.until - HOUR / 1e6), zone).state is judged.state


def test_what_lapsed_is_due_for_the_grace_and_then_stale() -> None:
    said = Terms(freshness=Freshness(max_age=3600), grace=1800)
    found = [judge(said, NOON, NOON + HOUR * hours) for hours in (1, 1.25, 1.75)]
    assert [one.state for one in found] == ORDER
    assert found[2].age == 1.75 * 3600


def test_what_is_to_run_at_two_is_not_late_at_midnight() -> None:
    said = Terms(freshness=TODAY, awaits="0 2 * * *", awaits_zone="UTC")
    last = datetime(2026, 3, 28, 2, 20, tzinfo=UTC)
    midnight = datetime(2026, 3, 29, tzinfo=UTC)
    states = [judge(said, last, midnight + HOUR * hours).state for hours in (-0.1, 0, 2.4, 2.6)]
    assert states == [FreshState.FRESH, FreshState.DUE, FreshState.DUE, FreshState.STALE]


def test_what_never_succeeded_is_unknown_and_what_comes_from_the_future_is_of_now() -> None:
    said = Terms(freshness=TODAY)
    assert judge(said, None, NOON).state is FreshState.UNKNOWN
    ahead = judge(said, datetime(9999, 12, 31, 23, tzinfo=UTC), NOON)
    assert (ahead.state, ahead.age, ahead.since) == (FreshState.FRESH, 0, NOON)
    ancient = judge(said, datetime(1, 1, 1, 1, tzinfo=UTC), NOON, "America/New_York")
    assert ancient.state is FreshState.STALE


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"max_age": 0},
        {"max_age": -1},
        {"max_age": float("inf")},
        {"max_age": float("nan")},
        {"max_age": 1e300},
        {"since": "noon"},
        {"since": "61 * * * *"},
        {"since": "day", "zone": "Mars/Base"},
        {"max_age": 60, "zone": ""},
    ],
)
def test_terms_that_judge_nothing_are_refused_in_one_line(said: dict[str, object]) -> None:
    with pytest.raises(InvalidFreshness, match=r"^[^\n]+$"):
        checked_terms(Terms(freshness=Freshness(**said)))  # type: ignore[arg-type]
    with pytest.raises(InvalidFreshness):
        checked_terms(Terms(freshness=TODAY, grace=-1))


def test_what_never_succeeded_is_stale_after_the_grace_that_begins_when_its_terms_are_set() -> None:
    said = Terms(freshness=Freshness(max_age=3600), grace=1800)
    found = [judge(said, None, NOON + HOUR * hours, defined=NOON) for hours in (0, 0.4, 0.5, 9)]
    unknown, stale = FreshState.UNKNOWN, FreshState.STALE
    assert [one.state for one in found] == [unknown, unknown, stale, stale]
    nightly = Terms(freshness=Freshness(since="day"), awaits="0 2 * * *", awaits_zone="UTC")
    assert judge(nightly, None, NOON + HOUR * 14, defined=NOON).state is unknown
    assert judge(nightly, None, NOON + HOUR * 15, defined=NOON).state is stale


@given(terms, times, times, times, st.sampled_from(ZONES))
def test_a_sensor_that_fails_hides_only_what_is_not_stale_yet(
    terms: Terms, last: datetime, now: datetime, failing_since: datetime, zone: str
) -> None:
    known = judge(terms, last, now, zone)
    found = judge_unanswered(known, failing_since, terms)
    if known.state is FreshState.STALE:
        assert found == known
    else:
        assert (found.state, found.since, found.age) == (
            FreshState.UNKNOWN,
            failing_since,
            known.age,
        )
        if found.until is not None:
            assert judge(terms, min(last, now), found.until, zone).state is FreshState.STALE
            before = max(now, found.until - HOUR / 1e6)
            assert judge(terms, min(last, now), before, zone).state is not FreshState.STALE
