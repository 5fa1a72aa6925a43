"""What came while no daemon looked: times beside resets, pauses and absences."""

from datetime import UTC, datetime, timedelta

from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import (
    And,
    OnAbsent,
    OnCron,
    OnEvent,
    OnStatus,
    Or,
)
from lineagegraph.model.triggers.trigger import CatchUp, Reset, Trigger
from lineagegraph.triggers.pause import pause_all, resume_due
from lineagegraph.triggers.react import react_to_times
from lineagegraph.triggers.reset import reset_due
from tests.integration.scheduling.rules import end, say, write_rules

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAILY = Reset(cron="0 0 * * *", zone="UTC")
A = OnStatus(job="a", statuses=(RunState.COMPLETED,))


def tick(graph: Graph, now: datetime) -> int:
    """Do what a daemon does about times, and what another one may do just before it."""
    graph.write(resume_due, now=now)
    graph.write(reset_due, now=now)
    fired = graph.write(react_to_times, now=now)
    graph.write(reset_due, now=now)
    return len([one for one in fired if one.run_id])


def write(graph: Graph, rule: Trigger) -> None:
    graph.write(write_rules, {"job": rule}, NOON)


def test_a_time_before_a_missed_reset_counts_with_what_was_there_before_it(graph: Graph) -> None:
    write(
        graph, Trigger(when=And(operands=(A, OnCron(cron="0 23 * * *", zone="UTC"))), reset=DAILY)
    )
    assert end(graph, "a", at=NOON + 8 * HOUR) == []
    assert tick(graph, NOON + 12.2 * HOUR) == 1


def test_an_event_after_a_missed_reset_takes_no_time_before_it_away(graph: Graph) -> None:
    late = OnCron(cron="0 23 * * *", zone="UTC")
    write(graph, Trigger(when=And(operands=(A, late)), reset=DAILY))
    assert end(graph, "a", at=NOON + 8 * HOUR) == []
    assert len(end(graph, "a", at=NOON + 20 * HOUR)) == 1
    assert tick(graph, NOON + 20.1 * HOUR) == 0
    assert tick(graph, NOON + 35.1 * HOUR) == 1, "23:00 with the second end"


def test_more_times_than_one_look_takes_are_made_up_for_over_a_reset(graph: Graph) -> None:
    often, daily = (OnCron(cron=cron, zone="UTC") for cron in ("*/5 * * * *", "1 6 * * *"))
    rule = Trigger(when=Or(operands=(often, daily)), reset=DAILY, catch_up=CatchUp.ALL)
    write(graph, rule)
    looks = [tick(graph, NOON + 20 * HOUR) for _ in range(4)]
    assert (sum(looks), looks[-1]) == (241, 0)


def test_each_of_several_missed_resets_ends_a_day(graph: Graph) -> None:
    both = And(
        operands=(OnCron(cron="0 9 * * *", zone="UTC"), OnCron(cron="0 21 * * *", zone="UTC"))
    )
    write(graph, Trigger(when=both, reset=DAILY, catch_up=CatchUp.ALL))
    assert tick(graph, NOON + 72 * HOUR) == 2, "21:00 of the first day was alone"
    assert tick(graph, NOON + 81.5 * HOUR) == 1


def test_all_times_of_an_outage_over_a_reset_are_made_up_for(graph: Graph) -> None:
    rule = Trigger(when=OnCron(cron="0 * * * *", zone="UTC"), reset=DAILY, catch_up=CatchUp.ALL)
    write(graph, rule)
    assert tick(graph, NOON + 14.5 * HOUR) == 14


def test_what_came_after_a_pause_that_no_daemon_ended_has_moved_an_absence(graph: Graph) -> None:
    x = OnEvent(name="x")
    write(graph, Trigger(when=OnAbsent(of=x, for_seconds=7200)))
    pause_end = NOON + 6 * HOUR
    graph.write(pause_all, "night", pause_end, author="ann", now=NOON + HOUR)
    graph.write(say, "x", pause_end + 2.5 * HOUR)
    assert tick(graph, pause_end + 3 * HOUR) == 0
    assert tick(graph, pause_end + 4.6 * HOUR) == 1


def test_an_absence_lasts_so_it_is_not_missed(graph: Graph) -> None:
    rule = Trigger(when=OnAbsent(of=OnEvent(name="x"), for_seconds=7200), catch_up=CatchUp.NONE)
    write(graph, rule)
    assert tick(graph, NOON + 2.1 * HOUR) == 1
