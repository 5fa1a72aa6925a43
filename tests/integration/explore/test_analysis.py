"""Questions about a day, a trend, and the whole of lineage, on a graph that events made."""

from datetime import UTC, timedelta
from pathlib import Path

import pytest

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.queries.analysis import (
    compare_days,
    find_cycles,
    find_orphans,
    find_root_cause,
    find_weak_points,
    list_owners,
    read_blast_radius,
    read_critical_path,
    read_trend,
    read_trends,
    read_waits,
)
from lineagegraph.queries.runs.runs import read_run, read_runs
from tests.integration.explore.diary import MONDAY, TUESDAY, Diary
from tests.integration.explore.theatre import HOUR, WEDNESDAY, Theatre, chain, pipeline
from tests.project import Project

TRIGGERED = """
from lineagegraph import on

@lg.task
def work(): pass

lg.pipeline("first", tasks=[work])
lg.pipeline("second", tasks=[work], trigger=on.success("first"))
"""
OWNERSHIP = {"ownership": {"owners": [{"name": "team:rides", "type": "MAINTAINER"}]}}


def test_the_critical_path_follows_the_data_to_what_ended_last(diary: Diary) -> None:
    diary.ran("quick", 0, 2, writes=["codes"])
    slow = diary.ran("slow", 0, 30, writes=["rides"])
    diary.ran("aside", 1, 40)
    report = diary.ran("report", 35, 60, reads=["codes", "rides"])
    diary.ran("tomorrow", 0, 5, day=TUESDAY)
    found = read_critical_path(diary.graph, "2026-03-02", "UTC")
    assert [leg.run for leg in found.legs] == [slow, report]
    assert [(leg.by, leg.waited) for leg in found.legs] == [(None, 0), ("data", 300)]
    assert (found.worked, found.waited) == (55 * 60, 300)


def test_a_run_comes_after_those_that_it_says_it_depends_on(diary: Diary) -> None:
    load = diary.ran("load", 0, 10)
    diary.ran("report", 12, 20, after=(load, "load"))
    found = read_critical_path(diary.graph, "2026-03-02", "UTC")
    assert [(leg.job, leg.by) for leg in found.legs] == [("load", None), ("report", "dependency")]


def test_a_run_for_the_next_interval_is_no_retry_of_the_one_before(diary: Diary) -> None:
    above = diary.ran("all", 0, 60), "all"
    for number, of in enumerate((MONDAY, TUESDAY, TUESDAY)):
        begin = 15 * number
        diary.ran("daily", begin, begin + 10, parent=above, nominal=of)
    found = read_critical_path(diary.graph, "2026-03-02", "UTC")
    assert [(leg.by, leg.waited) for leg in found.legs] == [(None, 0), ("retry", 300)]


def test_a_day_begins_at_midnight_in_the_zone(diary: Diary) -> None:
    late = diary.ran("late", -30, 5)
    found = read_critical_path(diary.graph, MONDAY.date(), "Europe/Berlin")
    assert [leg.run for leg in found.legs] == [late]
    assert not read_critical_path(diary.graph, MONDAY.date(), "UTC").legs


def test_a_day_that_is_none_is_refused(diary: Diary) -> None:
    with pytest.raises(NotFound, match="write it as 2026-01-31"):
        read_critical_path(diary.graph, "someday", "UTC")
    for day, zone in (("9999-12-31", "UTC"), ("0001-01-01", "Asia/Tokyo")):
        with pytest.raises(NotFound, match=f"the day {day} has no begin or no end in UTC"):
            read_critical_path(diary.graph, day, zone)


def test_tasks_come_after_those_before_them_in_their_pipeline(theatre: Theatre) -> None:
    stated = pipeline(*chain("a", "b", "c"))
    theatre.state(stated, WEDNESDAY)
    theatre.play(stated, WEDNESDAY + HOUR)
    found = read_critical_path(theatre.graph, WEDNESDAY.date(), "UTC")
    assert [(leg.job, leg.by) for leg in found.legs] == [
        ("p.a", None),
        ("p.b", "order"),
        ("p.c", "order"),
    ]


def test_the_path_leads_to_a_job_or_a_dataset_that_is_asked_for(diary: Diary) -> None:
    load = diary.ran("load", 0, 10, writes=["rides"])
    report = diary.ran("report", 12, 20, reads=["rides"], writes=["daily"])
    diary.ran("late", 0, 60)
    for target in ("report", "daily"):
        found = read_critical_path(diary.graph, MONDAY.date(), "UTC", target)
        assert [leg.run for leg in found.legs] == [load, report]
    assert not read_critical_path(diary.graph, TUESDAY.date(), "UTC", "report").legs
    with pytest.raises(NotFound):
        read_critical_path(diary.graph, MONDAY.date(), "UTC", "nothing")


def test_what_a_trigger_started_comes_after_its_cause_and_a_rerun_by_hand_is_left_out(
    graph: Graph, tmp_path: Path
) -> None:
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state(TRIGGERED)
    first = project.run("first")
    (second,) = read_runs(graph, "second")
    project.carry_out(second.id)
    assert ways(graph, first) == [("first.work", None), ("second.work", "trigger")]
    project.rerun(second.id, policy="latest")
    assert ways(graph, first)[2:] == []


def ways(graph: Graph, run: str) -> list[tuple[str, str | None]]:
    began = read_run(graph, run).run.created_at
    assert began
    legs = read_critical_path(graph, began.astimezone(UTC).date(), "UTC").legs
    return [(leg.job, leg.by) for leg in legs]


def test_the_longest_waits_come_first(diary: Diary) -> None:
    diary.ran("load", 0, 10, writes=["rides"])
    diary.ran("soon", 12, 13, reads=["rides"])
    diary.ran("late", 40, 41, reads=["rides"])
    waits = read_waits(diary.graph, MONDAY.date(), "UTC")
    assert [(wait.job, wait.waited / 60) for wait in waits] == [("late", 30), ("soon", 2)]


def test_a_trend_tells_levels_from_outliers(diary: Diary) -> None:
    for day, minutes in enumerate([10, 11, 10, 10, 90, 10, 20, 21, 20, 20, 19]):
        diary.ran("load", 0, minutes, day=MONDAY + timedelta(days=day))
    found = read_trend(diary.graph, "load")
    assert [(level.runs, level.middle) for level in found.levels] == [(6, 600), (5, 1200)]
    assert [point.value for point in found.points if point.is_outlier] == [90 * 60]
    (row,) = read_trends(diary.graph)
    assert (row.job, row.usual, row.before, row.factor) == ("load", 1200, 600, 2)
    with pytest.raises(NotFound, match="core_seconds"):
        read_trend(diary.graph, "load", "money")  # type: ignore[arg-type]


def test_a_change_point_names_the_version_that_began_there(tmp_path: Path, graph: Graph) -> None:
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    text = "@lg.task\ndef load(): {}\nlg.pipeline('sales', tasks=[load])"
    for body in ("pass", "import time; time.sleep(0.4)"):
        project.state(text.format(body))
        for _ in range(5):
            project.run("sales")
    for job in ("sales", "sales.load"):
        (change,) = read_trend(graph, job).changes
        (before, after) = {run.version for run in read_runs(graph, "sales")}
        assert change.version in (before, after)
        assert change.version == read_runs(graph, "sales")[0].version
        assert change.after > change.before
    (row,) = (row for row in read_trends(graph) if row.job == "sales")
    assert row.version == change.version


def test_a_change_point_without_a_new_version_names_none(diary: Diary) -> None:
    for day, rows in enumerate([100] * 6 + [700] * 6):
        diary.ran("load", 0, 1, writes=["rides"], rows=rows, day=MONDAY + timedelta(days=day))
    found = read_trend(diary.graph, "load", "rows")
    (change,) = found.changes
    assert (change.before, change.after, change.factor) == (100, 700, 7)
    assert (change.at, change.version) == (MONDAY + timedelta(days=6), None)
    assert read_trend(diary.graph, "load").changes == ()


def test_rows_of_a_pipeline_are_those_of_its_tasks(diary: Diary) -> None:
    top = diary.ran("nightly", 0, 9)
    diary.ran("load", 1, 5, writes=["rides"], rows=40, parent=(top, "nightly"))
    diary.ran("sum", 5, 8, writes=["sums"], rows=2, parent=(top, "nightly"))
    assert [point.value for point in read_trend(diary.graph, "nightly", "rows").points] == [42]
    diary.ran("quiet", 0, 1)
    assert read_trend(diary.graph, "quiet", "rows").points == ()


def test_what_failed_counts_for_no_trend(diary: Diary) -> None:
    diary.ran("load", 0, 5, state="FAIL")
    assert read_trend(diary.graph, "load").points == ()
    assert read_trends(diary.graph) == []


def test_runs_that_did_not_complete_take_no_place_among_the_newest_of_a_trend(diary: Diary) -> None:
    for day, state in enumerate(("COMPLETE",) * 3 + ("FAIL",) * 3):
        diary.ran("load", 0, day + 1, day=MONDAY + timedelta(days=day), state=state)
    found = read_trend(diary.graph, "load", limit=2)
    assert [point.value for point in found.points] == [120, 180]


def test_a_weak_point_is_what_there_is_no_way_around(diary: Diary) -> None:
    diary.ran("load", 0, 1, reads=["raw"], writes=["rides"])
    for name in ("a", "b"):
        diary.ran(name, 2, 3, reads=["rides"], writes=[name])
    diary.ran("join", 4, 5, reads=["a", "b"], writes=["gold"])
    found = {point.name: point for point in find_weak_points(diary.graph)}
    assert (found["raw"].only_through, found["raw"].downstream) == (8, 8)
    assert (found["rides"].only_through, found["rides"].is_bridge) == (6, True)
    assert (found["a"].kind, found["join"].only_through) == ("job", 1)
    assert "gold" not in found


def test_a_cycle_is_told_once_whatever_else_is_in_its_knot(diary: Diary) -> None:
    diary.ran("first", 0, 1, reads=["b"], writes=["a"])
    diary.ran("second", 2, 3, reads=["a"], writes=["b"])
    diary.ran("third", 4, 5, reads=["b"], writes=["c"])
    (cycle,) = find_cycles(diary.graph)
    assert sorted(cycle.path) == [
        "dataset:lake:a",
        "dataset:lake:b",
        "job:default:first",
        "job:default:second",
    ]
    assert (cycle.jobs, cycle.datasets) == (2, 2)


def test_orphans_say_why(diary: Diary) -> None:
    diary.ran("load", 0, 1, reads=["raw"], writes=["rides", "left"])
    diary.ran("use", 2, 3, reads=["rides"])
    found = {orphan.name: orphan.why for orphan in find_orphans(diary.graph, days=10**6)}
    assert found == {"raw": ("never written",), "left": ("never read",)}
    idle = {orphan.name: orphan.why for orphan in find_orphans(diary.graph, days=1)}
    assert idle["rides"][0].startswith("idle for ")


def test_a_task_is_owned_by_who_owns_its_pipeline_and_what_nobody_owns_comes_first(
    diary: Diary,
) -> None:
    top = diary.ran("nightly", 0, 9, facets=OWNERSHIP)
    diary.ran("nightly.load", 1, 2, parent=(top, "nightly"), writes=["rides"])
    found = [(one.kind, one.name, one.owners, one.by) for one in list_owners(diary.graph)]
    assert found == [
        ("dataset", "rides", (), None),
        ("job", "nightly", ("team:rides",), "itself"),
        ("job", "nightly.load", ("team:rides",), "job above"),
    ]


@pytest.mark.parametrize("body", [7, {"owners": 3}, {"owners": [4, {"name": ""}, {}]}])
def test_an_ownership_that_makes_no_sense_is_none(diary: Diary, body: object) -> None:
    diary.ran("odd", 0, 1, facets={"ownership": body})
    assert [one.owners for one in list_owners(diary.graph)] == [()]


def test_the_blast_radius_has_what_comes_after_with_distance_and_owners(diary: Diary) -> None:
    diary.ran("load", 0, 1, reads=["raw"], writes=["rides"])
    diary.ran("report", 2, 3, reads=["rides"], writes=["gold"], facets=OWNERSHIP)
    found = read_blast_radius(diary.graph, "rides")
    assert found.node == "dataset:lake:rides"
    assert [(hit.kind, hit.name, hit.distance, hit.owners) for hit in found.hits] == [
        ("job", "report", 1, ("team:rides",)),
        ("dataset", "gold", 2, ()),
    ]
    assert [hit.name for hit in read_blast_radius(diary.graph, "load").hits] == [
        "rides",
        "report",
        "gold",
    ]


def test_the_root_cause_is_upstream_and_inside_the_run_that_failed(diary: Diary) -> None:
    top = diary.ran("load", 0, 9, state="FAIL")
    inside = diary.ran("load.read", 1, 8, error="no file", parent=(top, "load"), writes=["rides"])
    diary.ran("load.aside", 2, 3, parent=(top, "load"))
    diary.ran("report", 10, 11, reads=["rides"], writes=["gold"])
    found = find_root_cause(diary.graph, "UTC", "gold")
    assert [step.node for step in found.path] == [
        "dataset:lake:gold",
        "job:default:report",
        "dataset:lake:rides",
        "job:default:load.read",
    ]
    assert found.failure is not None
    assert (found.failure.run, found.failure.said) == (inside, "no file")
    of_run = find_root_cause(diary.graph, "UTC", top)
    assert of_run.failure is not None
    assert of_run.failure.run == inside


def test_the_root_cause_of_an_earlier_run_is_what_went_wrong_in_it(diary: Diary) -> None:
    earlier = diary.ran("report", 0, 9, state="FAIL", error="no memory", reads=["rides"])
    diary.ran("load", 20, 29, state="FAIL", error="no file", writes=["rides"])
    later = diary.ran("report", 40, 49, state="FAIL", error="no rides", reads=["rides"])
    said = {}
    for run in (earlier, later):
        failure = find_root_cause(diary.graph, "UTC", run).failure
        assert failure is not None
        said[run] = failure.said
    assert said == {earlier: "no memory", later: "no file"}


def test_nothing_is_to_blame_where_all_went_well(diary: Diary) -> None:
    run = diary.ran("load", 0, 9, writes=["rides"])
    for asked in ("rides", "load", run):
        found = find_root_cause(diary.graph, "UTC", asked)
        assert (found.path, found.failure) == ((), None)
    with pytest.raises(NotFound, match="no job or dataset"):
        find_root_cause(diary.graph, "UTC", "nowhere")


def test_two_days_differ_in_what_ran_how_it_ended_and_how_much_it_wrote(diary: Diary) -> None:
    diary.ran("load", 0, 10, writes=["rides"], rows=100)
    diary.ran("steady", 0, 10)
    diary.ran("gone", 0, 1)
    diary.ran("load", 0, 30, writes=["rides"], rows=50, day=TUESDAY)
    diary.ran("load", 40, 41, state="FAIL", day=TUESDAY)
    diary.ran("steady", 0, 11, day=TUESDAY)
    diary.ran("new", 0, 1, day=TUESDAY)
    found = compare_days(diary.graph, MONDAY.date(), TUESDAY.date(), "UTC")
    changed = {one.job: one.changed for one in found.jobs}
    assert changed == {
        "load": ("runs", "state", "duration", "rows"),
        "gone": ("gone",),
        "new": ("new",),
        "steady": (),
    }
    load = found.jobs[0]
    assert (load.rows_before, load.rows_after) == (100, 50)
    assert (load.seconds_before, load.seconds_after) == (600, 1800)
