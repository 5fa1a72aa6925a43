"""Times come once: where clocks change, after a long sleep, and whatever a process's clock says."""

import ast
import datetime as clock
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import lineagegraph
from lineagegraph.graph import Graph
from lineagegraph.liveness import clock as database
from lineagegraph.model.triggers.condition import AnyCondition, OnCron, OnInterval
from lineagegraph.model.triggers.trigger import CatchUp, Trigger
from lineagegraph.store.triggers.occurrences import DueTime
from lineagegraph.triggers.react import react_to_times
from lineagegraph.triggers.times import take_times
from tests.integration.scheduling.rules import write_rules

NOON = datetime(2026, 3, 2, 12, 0, 30, tzinfo=UTC)
DAY = timedelta(days=1)

# Cron, zone, and the times in UTC that come in the 30 hours from the first of them on.
CHANGES = [
    # Spring forward: a time that is not there comes when the clock has changed.
    ("30 2 * * *", "Europe/Berlin", ["2026-03-29 01:00", "2026-03-30 00:30"]),
    ("30 2 * * *", "America/New_York", ["2026-03-08 07:00", "2026-03-09 06:30"]),
    ("15 2 * * *", "Australia/Lord_Howe", ["2026-10-03 15:30", "2026-10-04 15:15"]),
    ("0 0 * * *", "Africa/Cairo", ["2026-04-23 22:00", "2026-04-24 21:00"]),
    # Back again: a time that is there twice comes once.
    ("30 2 * * *", "Europe/Berlin", ["2026-10-25 00:30", "2026-10-26 01:30"]),
    ("30 1 * * *", "America/New_York", ["2026-11-01 05:30", "2026-11-02 06:30"]),
    ("45 1 * * *", "Australia/Lord_Howe", ["2026-04-04 14:45", "2026-04-05 15:15"]),
    # What comes each so many hours goes on as real time does.
    ("0 */12 * * *", "Europe/Berlin", ["2026-03-28 23:00", "2026-03-29 10:00", "2026-03-29 22:00"]),
    # Days that are not in every year or month.
    ("0 0 29 2 *", "UTC", ["2028-02-29 00:00"]),
    ("0 0 31 * *", "UTC", ["2026-05-31 00:00"]),
]


def rule(graph: Graph, condition: AnyCondition, now: datetime, **terms: Any) -> None:
    graph.write(write_rules, {"job": Trigger(when=condition, **terms)}, now)


def tick(graph: Graph, now: datetime) -> int:
    return len(graph.write(react_to_times, now=now))


@pytest.mark.parametrize(("cron", "zone", "times"), CHANGES)
def test_each_time_comes_once_where_clocks_change(
    graph: Graph, cron: str, zone: str, times: list[str]
) -> None:
    due = [datetime.fromisoformat(time).replace(tzinfo=UTC) for time in times]
    rule(graph, OnCron(cron=cron, zone=zone), due[0] - timedelta(hours=1), catch_up=CatchUp.ALL)
    end = due[0] + timedelta(hours=30)
    fired = graph.write(react_to_times, now=end)
    assert [when(one.reason) for one in fired] == due
    assert graph.write(react_to_times, now=end + timedelta(seconds=1)) == []


def when(reason: str) -> datetime:
    return datetime.strptime(reason.rpartition(" at ")[2], "%Y-%m-%d %H:%M:%S%z").astimezone(UTC)


def test_times_that_are_looked_at_one_by_one_are_those_of_one_look(graph: Graph) -> None:
    start = datetime(2026, 10, 24, 22, 10, tzinfo=UTC)
    rule(graph, OnCron(cron="*/30 2 * * *", zone="Europe/Berlin"), start)
    fired = [tick(graph, start + timedelta(minutes=15 * n)) for n in range(20)]
    # From 02:00 to 03:00 the clock goes twice, and so does what comes all the time.
    assert sum(fired) == 4


@pytest.mark.parametrize(
    "condition", [OnCron(cron="0 * * * *", zone="UTC"), OnInterval(seconds=3600)]
)
@pytest.mark.parametrize(
    ("policy", "made_up"), [(CatchUp.ALL, 24), (CatchUp.LAST, 1), (CatchUp.NONE, 0)]
)
def test_a_daemon_that_slept_for_a_day_makes_up_for_what_the_policy_says(
    graph: Graph, condition: AnyCondition, policy: CatchUp, made_up: int
) -> None:
    rule(graph, condition, NOON, catch_up=policy)
    awake = NOON + DAY + timedelta(minutes=10)
    assert tick(graph, awake) == made_up
    assert tick(graph, awake + timedelta(seconds=1)) == 0
    on_time = NOON + DAY + timedelta(hours=1, seconds=1)
    assert tick(graph, on_time) == 1


@pytest.mark.parametrize("operator", ["CRON", "INTERVAL"])
def test_more_times_than_one_look_takes_are_all_made_up_for(operator: str) -> None:
    now, next_at, seen = NOON + DAY, NOON.replace(second=0), []
    while next_at is not None and next_at <= now:
        due = DueTime(
            *("t", "c", operator, "* * * * *", "UTC", 60.0, CatchUp.ALL), next_at=next_at, now=now
        )
        taken = take_times(due, None)
        seen += taken.times
        next_at = taken.next_at
    assert seen == [NOON.replace(second=0) + timedelta(minutes=n) for n in range(24 * 60 + 1)]


# The clock of Berlin shows 02:10 for the second time, 40 minutes after the only 02:30 that counts.
AGAIN = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)
HALF_PAST_TWO = {"cron": "30 2 * * *", "zone": "Europe/Berlin"}


def test_a_time_before_a_trigger_was_made_does_not_come_when_clocks_go_back(graph: Graph) -> None:
    rule(graph, OnCron(**HALF_PAST_TWO), AGAIN)
    assert [tick(graph, AGAIN + timedelta(minutes=5 * n)) for n in range(6)] == [0] * 6


def test_a_daemon_that_wakes_when_clocks_go_back_starts_the_last_time_once(graph: Graph) -> None:
    rule(graph, OnCron(**HALF_PAST_TWO), AGAIN - 3 * DAY, catch_up=CatchUp.LAST)
    fired = graph.write(react_to_times, now=AGAIN)
    assert [when(one.reason) for one in fired] == [AGAIN - timedelta(minutes=40)]
    assert [tick(graph, AGAIN + timedelta(minutes=5 * n)) for n in range(6)] == [0] * 6


class AnHourAhead(datetime):
    """What a process takes for the time whose machine's clock is wrong."""

    @classmethod
    def now(cls, tz: clock.tzinfo | None = None) -> datetime:
        return datetime.now(tz) + timedelta(hours=1)


def test_what_a_worker_dates_has_the_time_of_the_database(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "datetime", AnHourAhead)
    said = database.database_clock(graph)()
    (row,) = graph.query("RETURN datetime.realtime() AS now")
    assert abs(row["now"] - said) < timedelta(minutes=1)


def test_nothing_that_decides_looks_at_the_clock_of_its_process() -> None:
    package = Path(lineagegraph.__file__).parent
    files = [path for layer in ("scheduling", "store") for path in (package / layer).rglob("*.py")]
    assert files
    read = {
        f"{path.name}:{node.lineno}"
        for path in files
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ("now", "utcnow", "today", "time")
        and isinstance(node.value, ast.Name) and node.value.id in ("datetime", "date", "time")
    }  # fmt: skip
    assert read == set()
