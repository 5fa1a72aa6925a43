"""The critical path: what it must be for any work and any links between it."""

from datetime import UTC, datetime, timedelta
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.queries.analysis.critical_path import Leg, trace
from lineagegraph.queries.analysis.days_compared import compare
from lineagegraph.queries.analysis.steps import WorkStep, WorkSteps, arrange
from lineagegraph.store.lineage.days import DayRun, RunLink, TaskOrder

MIDNIGHT = datetime(2026, 3, 4, tzinfo=UTC)


def minute(number: int) -> datetime:
    return MIDNIGHT + timedelta(minutes=number)


def run(id_: str, began: int, ended: int, parent: str | None = None, kind: str = "task") -> DayRun:
    name = f"{parent}.{id_.rstrip('#')}" if parent else id_
    return DayRun(
        id=id_,
        parent=parent,
        job_key=name,
        namespace="default",
        name=name,
        kind=kind,
        state="COMPLETED",
        created_at=minute(began),
        started_at=minute(began),
        ended_at=minute(ended),
        version=None,
        row_count=None,
    )


@st.composite
def works(draw: st.DrawFn) -> WorkSteps:
    times = st.tuples(st.integers(0, 50), st.integers(0, 20), st.integers(0, 50))
    spans = draw(st.lists(times, min_size=1, max_size=8))
    steps = {
        str(number): WorkStep(
            str(number),
            "default",
            f"job {number}",
            "COMPLETED",
            minute(known),
            minute(known + waited),
            minute(known + waited + worked),
        )
        for number, (known, waited, worked) in enumerate(spans)
    }
    ends = st.sampled_from(sorted(steps))
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=20))
    return WorkSteps(steps, [RunLink(before, after, "data") for before, after in pairs])


@given(works())
def test_work_and_waits_add_up_to_the_time_from_the_first_begin_to_the_last_end(
    work: WorkSteps,
) -> None:
    legs = trace(work)
    span = (legs[-1].ended - legs[0].began).total_seconds()
    assert sum(leg.worked + leg.waited for leg in legs) == span
    assert legs[-1].ended == max(step.ended for step in work.steps.values())


@given(works())
def test_no_time_is_negative_and_each_leg_came_after_the_one_before(work: WorkSteps) -> None:
    legs = trace(work)
    linked = {(link.before, link.after) for link in work.links}
    assert all(leg.worked >= 0 and 0 <= leg.queued <= leg.waited for leg in legs)
    assert [leg.after for leg in legs[1:]] == [leg.run for leg in legs[:-1]]
    assert all((leg.after, leg.run) in linked for leg in legs[1:])


@given(works())
def test_nothing_let_a_leg_begin_later_than_the_one_before_it(work: WorkSteps) -> None:
    for leg in trace(work)[1:]:
        step = work.steps[leg.run]
        befores = (work.steps[link.before] for link in work.links if link.after == leg.run)
        released = step.began - timedelta(seconds=leg.waited)
        assert all(min(b.ended, step.began) <= released for b in befores if b.began < step.began)


@given(works(), st.randoms())
def test_the_path_does_not_depend_on_the_order_in_which_links_are_listed(
    work: WorkSteps, random: Random
) -> None:
    shuffled = [*work.links, *work.links]
    random.shuffle(shuffled)
    assert trace(WorkSteps(work.steps, shuffled)) == trace(work)


def path(runs: list[DayRun], links: list[RunLink], orders: list[TaskOrder]) -> list[Leg]:
    return trace(arrange(runs, links, orders))


def test_nothing_has_no_path() -> None:
    assert path([], [], []) == []


def test_a_pipeline_that_another_started_begins_after_the_last_task_of_that() -> None:
    runs = [
        run("load", 0, 10, kind="pipeline"),
        run("a", 0, 4, "load"),
        run("b", 4, 10, "load"),
        run("report", 12, 30, kind="pipeline"),
        run("c", 15, 30, "report"),
    ]
    legs = path(runs, [RunLink("load", "report", "trigger")], [TaskOrder("load", "a", "b")])
    assert [(leg.run, leg.by, leg.waited / 60, leg.worked / 60) for leg in legs] == [
        ("a", None, 0, 4),
        ("b", "order", 0, 6),
        ("c", "trigger", 5, 15),
    ]


def test_what_spark_reads_counts_for_the_task_and_an_early_table_lets_others_begin_early() -> None:
    runs = [
        run("write", 0, 20),
        run("app", 1, 19, "write", "application"),
        run("save", 2, 5, "app", "action"),
        run("read", 6, 30),
        run("load", 7, 29, "read", "action"),
    ]
    (first, then) = path(runs, [RunLink("save", "load", "data")], [])
    assert (first.run, first.worked / 60) == ("write", 6)
    assert (then.run, then.by, then.waited, then.worked / 60) == ("read", "data", 0, 24)


def test_an_attempt_comes_after_the_one_before_it() -> None:
    runs = [run("p", 0, 20, kind="pipeline"), run("a", 0, 5, "p"), run("a#", 9, 20, "p")]
    (first, then) = path(runs, [], [])
    assert (first.run, then.run, then.by, then.waited / 60) == ("a", "a#", "retry", 4)


@pytest.mark.parametrize("part", [{"partition": '{"day":"1"}'}, {"nominal_start": minute(0)}])
def test_runs_for_other_partitions_or_intervals_are_no_attempts(part: dict[str, object]) -> None:
    first = msgspec.structs.replace(run("a", 0, 5, "p"), **part)
    runs = [run("p", 0, 20, kind="pipeline"), first, run("a#", 9, 20, "p")]
    assert [(leg.run, leg.by) for leg in path(runs, [], [])] == [("a#", None)]


def test_parallel_runs_of_one_job_are_no_attempts_of_each_other() -> None:
    runs = [
        *(run("p", 0, 40, kind="pipeline"), run("x", 0, 9, "p")),
        *(run("a", 10, 30, "p"), run("a#", 11, 40, "p")),
    ]
    legs = path(runs, [RunLink("x", "a", "data"), RunLink("x", "a#", "data")], [])
    assert [(leg.run, leg.by) for leg in legs] == [("x", None), ("a#", "data")]


@pytest.mark.parametrize("kind", ["task", "action"])
def test_parents_that_go_in_a_circle_are_none(kind: str) -> None:
    runs = [run("a", 0, 5, "b", kind), run("b", 6, 9, "a", kind), run("c", 0, 3, "c", kind)]
    (first, then) = path(runs, [RunLink("a", "b", "data")], [])
    assert (first.run, then.run) == ("a", "b")
    assert [job.runs_after for job in compare([], runs)] == [1, 1, 1]


def test_a_sensor_is_no_work_and_what_follows_it_comes_after_the_work_before_it() -> None:
    runs = [run("load", 0, 10), run("wait", 10, 30, kind="sensor"), run("report", 31, 40)]
    links = [RunLink("load", "wait", "order"), RunLink("wait", "report", "order")]
    legs = trace(arrange([*runs, run("late", 50, 50, kind="sensor")], links, []))
    assert [(leg.job, leg.waited / 60) for leg in legs] == [("load", 0), ("report", 21)]


def test_sensors_in_a_circle_lead_nowhere() -> None:
    runs = [run("a", 0, 1, kind="sensor"), run("b", 0, 1, kind="sensor"), run("c", 2, 3)]
    links = [RunLink("a", "b", "data"), RunLink("b", "a", "data"), RunLink("b", "c", "data")]
    assert [leg.job for leg in trace(arrange(runs, links, []))] == ["c"]


def test_what_a_person_ran_again_is_left_out_with_its_tasks() -> None:
    again = msgspec.structs.replace(run("again", 50, 60), by_hand=True)
    runs = [run("load", 0, 10), again, run("task", 50, 60, parent="again")]
    assert [leg.job for leg in trace(arrange(runs, [], []))] == ["load"]
