from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph.model.freshness.terms import TODAY, Freshness, last_point

NOW = datetime(2026, 11, 22, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("since", "zone", "now", "expected"),
    [
        ("day", "UTC", "2026-11-22T02:10:00+00:00", "2026-11-22T00:00:00+00:00"),
        ("day", "Asia/Dubai", "2026-11-22T02:10:00+00:00", "2026-11-21T20:00:00+00:00"),
        ("day", "America/New_York", "2026-11-01T12:00:00+00:00", "2026-11-01T04:00:00+00:00"),
        # Clocks there skip the hour after midnight.
        ("day", "Asia/Beirut", "2026-03-29T12:00:00+00:00", "2026-03-28T22:00:00+00:00"),
        ("hour", "Asia/Kolkata", "2026-11-22T02:10:00+00:00", "2026-11-22T01:30:00+00:00"),
        ("30 2 * * *", "UTC", "2026-11-22T02:10:00+00:00", "2026-11-21T02:30:00+00:00"),
        ("30 2 * * *", "UTC", "2026-11-22T02:30:00+00:00", "2026-11-22T02:30:00+00:00"),
        ("30 2 * * *", "UTC", "2026-11-22T02:29:59.999999+00:00", "2026-11-21T02:30:00+00:00"),
    ],
)
def test_the_last_point_is_the_last_start_of_a_day_or_hour_or_point_of_a_cron_expression(
    since: str, zone: str, now: str, expected: str
) -> None:
    point = last_point(since, zone, datetime.fromisoformat(now))
    assert point == datetime.fromisoformat(expected)
    assert point.tzinfo is UTC


def test_yesterdays_success_is_young_enough_for_an_age_and_too_old_for_the_same_day() -> None:
    yesterday = datetime(2026, 11, 21, 2, 30, tzinfo=UTC)
    assert yesterday >= Freshness(max_age=24 * 3600).threshold(NOW, NOW)
    assert yesterday < TODAY.threshold(NOW, NOW)


def test_of_an_age_and_a_point_both_must_hold() -> None:
    both = Freshness(max_age=3600, since="day")
    assert both.threshold(NOW, NOW) == datetime(2026, 11, 22, 1, 10, tzinfo=UTC)


def test_no_age_at_all_means_since_the_submission() -> None:
    submitted = datetime(2026, 11, 22, 1, tzinfo=UTC)
    assert Freshness(max_age=0).threshold(NOW, submitted) == submitted


def test_the_zone_of_the_installation_holds_where_the_terms_name_none() -> None:
    assert TODAY.threshold(NOW, NOW, "Asia/Dubai") == datetime(2026, 11, 21, 20, tzinfo=UTC)


def test_an_age_beyond_all_times_is_met_by_any_success() -> None:
    assert Freshness(max_age=1e12).threshold(NOW, NOW) == datetime.min.replace(tzinfo=UTC)


def test_a_point_counts_from_the_submission_though_the_wait_passes_another() -> None:
    before = NOW.replace(hour=23, minute=50)
    assert TODAY.threshold(before + timedelta(minutes=20), before) == before.replace(
        hour=0, minute=0
    )
