"""Times of cron expressions are the same forwards and backwards, also where clocks change."""

from datetime import UTC, datetime, timedelta
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.triggers.cron import last_time, next_time, time_before, times_after

CRONS = ("30 2 * * *", "0 * * * *", "*/15 * * * *", "0 */2 * * *", "45 1 * * *", "0 0 * * 0")
# Clocks change within a day of these.
CHANGES = [
    ("Europe/Berlin", datetime(2026, 3, 29, 1, tzinfo=UTC)),
    ("Europe/Berlin", datetime(2026, 10, 25, 1, tzinfo=UTC)),
    ("America/Havana", datetime(2026, 11, 1, 5, tzinfo=UTC)),
    ("America/Santiago", datetime(2026, 9, 6, 4, tzinfo=UTC)),
    ("Africa/Cairo", datetime(2026, 4, 23, 22, tzinfo=UTC)),
    ("Africa/Cairo", datetime(2026, 10, 29, 21, tzinfo=UTC)),
    ("Australia/Lord_Howe", datetime(2026, 4, 4, 15, tzinfo=UTC)),
    ("UTC", datetime(2028, 2, 29, tzinfo=UTC)),
]


@given(
    st.sampled_from(CRONS),
    st.sampled_from(CHANGES),
    st.timedeltas(timedelta(hours=-5), timedelta(hours=5)),
)
def test_the_last_time_up_to_now_is_the_last_of_those_that_came(
    cron: str, change: tuple[str, datetime], distance: timedelta
) -> None:
    zone, at = change
    now = at + distance
    begin = datetime(now.year, now.month, 1, tzinfo=UTC) - timedelta(days=20)
    came = list(takewhile(lambda time: time <= now, times_after(cron, zone, begin)))
    assert came == sorted(set(came))
    assert time_before(cron, zone, now) == came[-1]
    assert last_time(cron, zone, came[0], now) == came[-1]
    assert next_time(cron, zone, now) > now


@pytest.mark.parametrize("cron", CRONS)
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_a_time_that_is_now_has_come(cron: str, zone: str) -> None:
    now = next_time(cron, zone, datetime(2026, 10, 24, 12, tzinfo=UTC))
    assert time_before(cron, zone, now) == now
    assert time_before(cron, zone, now - timedelta(microseconds=1)) < now


def test_data_of_the_hour_before_clocks_went_back_is_not_of_this_hour() -> None:
    now = datetime(2026, 10, 25, 1, 20, tzinfo=UTC)
    terms = Freshness(since="hour", zone="Europe/Berlin")
    assert terms.threshold(now, now) == datetime(2026, 10, 25, 1, tzinfo=UTC)
