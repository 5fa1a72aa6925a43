"""Days and times of a range, as people in a zone count them."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.errors import BackfillRefused
from lineagegraph.model.triggers.backfill import NominalRange
from lineagegraph.model.triggers.time_range import list_times

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo")
DAYS = st.dates(date(1990, 1, 1), date(2035, 12, 31))


def times(first: str, last: str, step: str = "1d", zone: str = "UTC") -> list[str]:
    return list(list_times(NominalRange(first, last, step, zone)))


def test_both_ends_of_a_range_are_in_it() -> None:
    assert times("2026-01-30", "2026-02-02") == [
        "2026-01-30",
        "2026-01-31",
        "2026-02-01",
        "2026-02-02",
    ]


def test_a_leap_year_has_its_day() -> None:
    assert "2028-02-29" in times("2028-02-01", "2028-03-01")
    assert times("2028-02-29", "2030-12-31", "12mo") == ["2028-02-29", "2029-02-28", "2030-02-28"]


def test_months_from_the_last_day_of_one_are_the_last_days_of_all() -> None:
    assert times("2026-01-31", "2026-05-31", "1mo") == [
        "2026-01-31",
        "2026-02-28",
        "2026-03-31",
        "2026-04-30",
        "2026-05-31",
    ]


@pytest.mark.parametrize(
    ("day", "hours"), [("2026-03-29", 23), ("2026-03-30", 24), ("2026-10-25", 25)]
)
def test_a_local_day_has_the_hours_that_the_clock_gives_it(day: str, hours: int) -> None:
    assert len(times(day, day, "1h", "Europe/Berlin")) == hours


def test_days_as_times_begin_at_local_midnight() -> None:
    range_ = NominalRange("2026-03-28", "2026-03-30", "1d", "Europe/Berlin")
    assert list(list_times(range_, as_days=False)) == [
        "2026-03-28T00:00:00+01:00",
        "2026-03-29T00:00:00+01:00",
        "2026-03-30T00:00:00+02:00",
    ]


def test_a_first_midnight_that_the_clock_jumps_over_moves_no_other_day() -> None:
    range_ = NominalRange("2026-04-24", "2026-04-26", "1d", "Africa/Cairo")
    assert list(list_times(range_, as_days=False)) == [
        "2026-04-24T01:00:00+03:00",
        "2026-04-25T00:00:00+03:00",
        "2026-04-26T00:00:00+03:00",
    ]
    later = times("2026-03-29T02:30", "2026-03-31T02:30", zone="Europe/Berlin")
    assert [time[11:16] for time in later] == ["03:30", "02:30", "02:30"]


def test_a_time_that_the_clock_jumps_over_is_as_much_later() -> None:
    found = times("2026-03-28T02:30", "2026-03-30T02:30", "1d", "Europe/Berlin")
    assert found[1:] == ["2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"]


@given(first=DAYS, days=st.integers(0, 400), zone=st.sampled_from(ZONES))
def test_hours_are_elapsed_time_and_fill_their_days(first: date, days: int, zone: str) -> None:
    last = first + timedelta(days=days % 8)
    found = [datetime.fromisoformat(t) for t in times(f"{first}", f"{last}", "1h", zone)]
    utc = [at.astimezone(UTC) for at in found]
    assert all(after - before == timedelta(hours=1) for before, after in pairwise(utc))
    local = {at.astimezone(ZoneInfo(zone)).date() for at in utc}
    assert local == {first + timedelta(days=n) for n in range(days % 8 + 1)}


@given(
    first=DAYS,
    length=st.integers(0, 1000),
    number=st.integers(1, 9),
    unit=st.sampled_from(["d", "w", "mo"]),
    zone=st.sampled_from(ZONES),
)
def test_days_weeks_and_months_rise_keep_their_day_and_end_in_time(
    first: date, length: int, number: int, unit: str, zone: str
) -> None:
    last = first + timedelta(days=length)
    found = [date.fromisoformat(t) for t in times(f"{first}", f"{last}", f"{number}{unit}", zone)]
    assert found[0] == first
    assert found[-1] <= last
    assert all(before < after for before, after in pairwise(found))
    for position, day in enumerate(found):
        if unit == "mo":
            months = first.year * 12 + first.month + position * number
            assert day.year * 12 + day.month == months
            assert day.day == first.day or (day + timedelta(days=1)).day == 1
        else:
            assert day - first == timedelta(days=position * number * (7 if unit == "w" else 1))


@given(first=DAYS, length=st.integers(0, 60), zone=st.sampled_from(ZONES))
def test_each_day_as_a_time_is_that_local_day(first: date, length: int, zone: str) -> None:
    range_ = NominalRange(f"{first}", f"{first + timedelta(days=length)}", "1d", zone)
    days = [datetime.fromisoformat(text).date() for text in list_times(range_, as_days=False)]
    assert days == [first + timedelta(days=n) for n in range(length + 1)]


@pytest.mark.parametrize(
    ("range_", "said"),
    [
        (NominalRange("2026-02-01", "2026-01-31"), "swap them"),
        (NominalRange("2026-01-01T06:00", "2026-01-01T05:00", "1h"), "swap them"),
        (NominalRange("2026-02-30", "2026-03-01"), "first '2026-02-30' is neither a day"),
        (NominalRange("2026-01-01", "soon"), "last 'soon' is neither a day"),
        (NominalRange("2026-01-01", "9999-12-31"), "last '9999-12-31' is neither a day"),
        (NominalRange("2026-01-01", "2026-01-02", "0d"), "step '0d'"),
        (NominalRange("2026-01-01", "2026-01-02", "1 fortnight"), "write it as '1d'"),
        (NominalRange("2026-01-01", "2026-01-02", "1d", "Mars/Olympus"), "zone 'Mars/Olympus'"),
    ],
)
def test_a_range_that_is_none_is_refused(range_: NominalRange, said: str) -> None:
    with pytest.raises(BackfillRefused, match=said):
        list_times(range_)


def test_a_date_takes_no_hours() -> None:
    with pytest.raises(BackfillRefused, match="the parameter is a date"):
        list_times(NominalRange("2026-01-01", "2026-01-02", "6h"), as_days=True)
