"""Due times of a trigger that is edited: none is lost, and none comes twice."""

from datetime import UTC, datetime, timedelta

from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import (
    AnyCondition,
    OnAbsent,
    OnCron,
    OnInterval,
    OnStatus,
)
from lineagegraph.model.triggers.trigger import CatchUp, Reset, Trigger
from lineagegraph.triggers.react import react_to_times
from tests.integration.scheduling.rules import end, write_rules

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
A, B = (OnStatus(job=name, statuses=(RunState.COMPLETED,)) for name in "ab")
MINUTELY = OnCron(cron="* * * * *", zone="UTC")


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def put(graph: Graph, when: AnyCondition, seconds: float, reset: Reset | None = None) -> None:
    """Write the trigger, with another description each time."""
    text = f"edited at {seconds}"
    rule = Trigger(when=when, description=text, catch_up=CatchUp.ALL, reset=reset)
    graph.write(write_rules, {"job": rule}, after(seconds))


def tick(graph: Graph, seconds: float) -> int:
    return len(graph.write(react_to_times, now=after(seconds)))


def test_an_edit_loses_no_scheduled_time_that_is_to_be_made_up_for(graph: Graph) -> None:
    put(graph, MINUTELY, 1)
    put(graph, MINUTELY, 150)
    assert tick(graph, 181) == 3
    put(graph, MINUTELY | A, 245)
    assert tick(graph, 246) == 1


def test_edits_do_not_starve_an_interval(graph: Graph) -> None:
    for seconds in (0, 40, 80):
        put(graph, OnInterval(seconds=60), seconds)
    assert [tick(graph, seconds) for seconds in (81, 119, 121)] == [1, 0, 1]


def test_another_interval_begins_with_the_edit(graph: Graph) -> None:
    put(graph, OnInterval(seconds=60), 0)
    put(graph, OnInterval(seconds=30), 50)
    assert [tick(graph, seconds) for seconds in (61, 81)] == [0, 1]


def test_an_absence_that_fired_does_not_fire_again_after_an_edit(graph: Graph) -> None:
    put(graph, OnAbsent(of=A, for_seconds=60), 0)
    assert tick(graph, 61) == 1
    put(graph, OnAbsent(of=A, for_seconds=60), 70)
    assert tick(graph, 200) == 0


def test_an_edit_does_not_put_off_a_reset_that_is_due(graph: Graph) -> None:
    daily = Reset(cron="0 13 * * *", zone="UTC")
    put(graph, A & B, 0, daily)
    end(graph, "a", at=after(60))
    put(graph, A & B, 3605, daily)
    assert end(graph, "b", at=after(3610)) == []
