"""What came on past days is expected at the median time of day."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from lineagegraph.queries.arrivals import expected_time, first_of_days
from lineagegraph.store.sensors.sensor_views import PastArrival

BERLIN = ZoneInfo("Europe/Berlin")


def came(day: int, hours: float, began: float = 5, month: int = 3) -> PastArrival:
    midnight = datetime(2026, month, day, tzinfo=BERLIN)
    return PastArrival(
        (midnight + timedelta(hours=began)).astimezone(UTC),
        (midnight + timedelta(hours=hours)).astimezone(UTC),
        was_there=False,
    )


def test_the_median_of_the_first_arrivals_of_days_is_expected() -> None:
    found = [came(2, 6), came(2, 9), came(3, 7), came(4, 23)]
    past = first_of_days(found, BERLIN)
    assert past == [came(4, 23), came(3, 7), came(2, 6)]
    assert expected_time(past, came(5, 0).began_at, BERLIN) == came(5, 7).came_at


def test_two_days_are_too_few_to_expect_anything() -> None:
    assert expected_time([came(2, 6), came(3, 6)], came(4, 0).began_at, BERLIN) is None


def test_an_arrival_after_midnight_counts_to_the_day_of_its_wait() -> None:
    past = [came(day, 25.5, began=22) for day in (4, 3, 2)]
    assert expected_time(past, came(5, 0, began=22).began_at, BERLIN) == came(6, 1.5).came_at


def test_the_time_of_day_counts_where_the_clock_changes() -> None:
    past = [came(day, 6) for day in (28, 27, 26)]
    expected = expected_time(past, came(29, 0, began=5).began_at, BERLIN)
    assert expected == datetime(2026, 3, 29, 6, tzinfo=BERLIN)
