"""How times, ids and paths look where there is room and where there is not."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from lineagegraph.cli.demo.steps import shorten
from lineagegraph.cli.formatting import clock, moment, reason, run_id

ID = "01a1fd5f-8431-74f2-af25-4ae96745f8db"


class Row(msgspec.Struct, frozen=True):
    name: str
    inner: tuple["Row", ...] = ()
    number: int = 1


def test_a_time_of_today_loses_its_date_only_where_there_is_little_room() -> None:
    now = datetime.now(UTC)
    assert moment(now, wide=True) == clock(now)
    assert clock(now).endswith(f" {moment(now, wide=False)}")
    assert moment(now - timedelta(days=2), wide=False) == clock(now - timedelta(days=2))


def test_a_time_has_its_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        at = datetime(2026, 7, 1, 12, tzinfo=UTC)
        assert clock(at) == "2026-07-01 08:00:00 EDT"
        assert moment(datetime.now(UTC), wide=False).split()[1] in ("EST", "EDT")
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_reason_tells_times_in_the_zone_of_the_machine() -> None:
    at = datetime(2026, 3, 1, 12, 30, 5, tzinfo=UTC)
    said = f"nyc.load COMPLETED at {at:%F %T%z} and more"
    assert reason(said) == f"nyc.load COMPLETED at {clock(at)} and more"
    assert reason(None) == ""


def test_a_short_id_is_the_end_of_the_whole() -> None:
    assert run_id(ID, wide=True) == ID
    assert ID.endswith(run_id(ID, wide=False))


def test_paths_below_a_folder_become_relative_wherever_they_are() -> None:
    row = Row("file:/a/b/lake", (Row("/a/b/x"), Row("/a/bc")))
    assert shorten([row], Path("/a/b")) == [Row("file:lake", (Row("x"), Row("/a/bc")))]
