"""Who may judge that others are silent."""

from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph.liveness.contact import Contact


class Clock:
    now = 100.0
    ahead = timedelta()

    def __call__(self) -> float:
        return self.now

    @property
    def there(self) -> datetime:
        """The time of the database."""
        return datetime(2030, 1, 1, tzinfo=UTC) + timedelta(seconds=self.now) + self.ahead


def contact(clock: Clock) -> Contact:
    return Contact(gap=10, term=20, clock=clock)


def beat(found: Contact, clock: Clock, *, seconds: int) -> None:
    for _ in range(seconds):
        clock.now += 1
        found.note(clock.there)


def test_who_has_just_started_waits_for_one_term() -> None:
    found = contact(clock := Clock())
    assert not found.is_steady(clock.there)
    beat(found, clock, seconds=20)
    assert not found.is_steady(clock.there)
    beat(found, clock, seconds=1)
    assert found.is_steady(clock.there)


def test_who_is_silent_itself_judges_nobody() -> None:
    found = contact(clock := Clock())
    beat(found, clock, seconds=30)
    clock.now += 11
    assert not found.is_steady(clock.there)


def test_after_a_gap_all_get_one_term_to_be_heard() -> None:
    found = contact(clock := Clock())
    beat(found, clock, seconds=30)
    clock.now += 11
    beat(found, clock, seconds=20)
    assert not found.is_steady(clock.there)
    beat(found, clock, seconds=1)
    assert found.is_steady(clock.there)


def test_a_late_sign_is_no_gap() -> None:
    found = contact(clock := Clock())
    beat(found, clock, seconds=30)
    clock.now += 9
    found.note(clock.there)
    assert found.is_steady(clock.there)


@pytest.mark.parametrize("ahead", [timedelta(days=1), -timedelta(hours=1), -timedelta(seconds=3)])
def test_after_the_clock_of_the_database_was_set_all_get_one_term_to_be_heard(
    ahead: timedelta,
) -> None:
    found = contact(clock := Clock())
    beat(found, clock, seconds=30)
    assert found.is_steady(clock.there)
    clock.ahead = ahead
    assert not found.is_steady(clock.there)
    beat(found, clock, seconds=20)
    assert not found.is_steady(clock.there)
    beat(found, clock, seconds=1)
    assert found.is_steady(clock.there)
