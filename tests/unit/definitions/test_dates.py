"""Start and end dates are days or times, in the installation's zone unless they say."""

from datetime import date, datetime
from typing import Any

import pytest

import lineagegraph as lg
from lineagegraph.authoring.declared import collecting
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import Pipeline


def stated(**dates: Any) -> Pipeline:
    with collecting("default", "Europe/Berlin", "p.py"):
        return lg.pipeline("p", tasks=[lg.command("x", ["true"])], **dates).definition


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (date(2026, 3, 1), "2026-03-01T00:00:00+01:00"),
        ("2026-07-01", "2026-07-01T00:00:00+02:00"),
        (datetime(2026, 3, 1, 6, 30), "2026-03-01T06:30:00+01:00"),  # noqa: DTZ001
        ("2026-03-01T06:30", "2026-03-01T06:30:00+01:00"),
        ("2026-03-01T06:30:00Z", "2026-03-01T06:30:00+00:00"),
        # An hour that the clock jumps over.
        ("2026-03-29T02:30", "2026-03-29T03:30:00+02:00"),
    ],
)
def test_a_start_is_the_first_moment(given: Any, meant: str) -> None:
    start = stated(start_date=given).start_date
    assert start is not None
    assert start.isoformat() == meant


def test_a_day_as_the_end_lasts_until_the_next_begins() -> None:
    end = stated(end_date="2026-03-28").end_date
    assert end is not None
    assert end.isoformat() == "2026-03-28T23:59:59.999999+01:00"


def test_a_time_as_the_end_is_the_last_moment() -> None:
    end = stated(end_date="2026-03-28T02:00").end_date
    assert end is not None
    assert end.isoformat() == "2026-03-28T02:00:00+01:00"


def test_one_day_may_be_both() -> None:
    assert stated(start_date="2026-03-28", end_date=date(2026, 3, 28)).end_date


@pytest.mark.parametrize("given", ["soon", "", "2026-13-01", 5, "0001-01-01", True])
def test_what_is_no_day_is_refused_with_its_line(given: Any) -> None:
    with pytest.raises(
        DefinitionError, match=r"test_dates\.py:\d+: start_date=.* is not a day or time"
    ):
        stated(start_date=given)


def test_an_end_before_the_start_is_refused() -> None:
    with pytest.raises(
        DefinitionError, match="end_date 2026-01-01 is before start_date 2026-01-02"
    ):
        stated(start_date="2026-01-02", end_date="2026-01-01")
