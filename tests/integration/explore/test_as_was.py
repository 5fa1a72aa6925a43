"""A run is seen as it was, whatever its pipeline is today."""

from datetime import timedelta

import pytest

import lineagegraph as lg
from lineagegraph.drawing.as_was import draw_as_was
from lineagegraph.drawing.dot import to_dot
from lineagegraph.drawing.mermaid import to_mermaid
from lineagegraph.drawing.svg import to_svg
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import (
    GroupTask,
    Parameter,
    Pipeline,
    PipelineTask,
    Task,
)
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.versions.as_was import AsWas, read_as_was, read_job_as_was
from lineagegraph.store.runs import launches
from tests.events import run_event
from tests.integration.explore.theatre import (
    FRIDAY,
    HOUR,
    WEDNESDAY,
    Theatre,
    chain,
    pipeline,
    step,
)

DAILY = pipeline(*chain("a", "b", "c"))
END_OF_WEEK = pipeline(*chain("a", "b", "c", "eow"))
NEXT_WEDNESDAY = WEDNESDAY + timedelta(days=7)


def states(found: AsWas) -> dict[str, str]:
    return {task.path: task.state for task in found.tasks}


def edges(found: AsWas) -> set[tuple[str, str]]:
    return {(before, task.path) for task in found.tasks for before in task.after}


def test_the_run_of_a_wednesday_and_that_of_a_friday_are_each_seen_from_the_other_day(
    theatre: Theatre, graph: Graph
) -> None:
    theatre.state(DAILY, WEDNESDAY)
    wednesday = theatre.play(DAILY, WEDNESDAY)
    job = theatre.state(END_OF_WEEK, FRIDAY)
    friday = theatre.play(END_OF_WEEK, FRIDAY)

    on_friday = read_as_was(graph, wednesday)
    assert states(on_friday) == {"a": "COMPLETED", "b": "COMPLETED", "c": "COMPLETED"}
    assert edges(on_friday) == {("a", "b"), ("b", "c")}

    theatre.state(DAILY, NEXT_WEDNESDAY)
    later = read_as_was(graph, friday)
    assert states(later)["eow"] == "COMPLETED"
    assert edges(later) == {("a", "b"), ("b", "c"), ("c", "eow")}
    assert [task.name for task in later.tasks if task.is_removed] == ["eow"]

    for at, last in (
        (WEDNESDAY + HOUR, "c"),
        (FRIDAY - HOUR, "c"),
        (FRIDAY + HOUR, "eow"),
        (NEXT_WEDNESDAY + HOUR, "c"),
    ):
        assert read_job_as_was(graph, job, at).tasks[-1].path == last


def test_at_a_time_the_version_in_force_then_says_since_when_and_which_run_was_the_newest(
    theatre: Theatre, graph: Graph
) -> None:
    job = theatre.state(DAILY, WEDNESDAY)
    run = theatre.play(DAILY, WEDNESDAY + HOUR)
    theatre.state(END_OF_WEEK, FRIDAY)
    found = read_job_as_was(graph, job, FRIDAY - HOUR)
    assert (found.since, found.until, found.run_then) == (WEDNESDAY, FRIDAY, run)
    with pytest.raises(
        NotFound, match=r"no version of p was active .* its first version is of 2026-03-04"
    ):
        read_job_as_was(graph, job, WEDNESDAY - HOUR)


def per_client(*, csat: bool) -> Pipeline:
    """What one client needs, of sub-pipelines that all share."""
    names = ["orders", *(["csat"] if csat else [])]
    shared = [Pipeline(name=name, namespace="default", tasks=(step("load"),)) for name in names]
    return pipeline(
        *(Task(name=one.name, work=PipelineTask(pipeline=one)) for one in shared),
        step("report", *names),
    )


def test_tasks_that_a_client_got_later_are_not_in_its_earlier_runs(
    theatre: Theatre, graph: Graph
) -> None:
    before, after = per_client(csat=False), per_client(csat=True)
    theatre.state(before, WEDNESDAY)
    old = theatre.play(before, WEDNESDAY)
    theatre.state(after, FRIDAY)
    new = theatre.play(after, FRIDAY)
    assert list(states(read_as_was(graph, old))) == ["orders", "orders.load", "report"]
    found = states(read_as_was(graph, new))
    assert list(found) == ["orders", "orders.load", "csat", "csat.load", "report"]
    assert set(found.values()) == {"COMPLETED"}


def test_five_tasks_then_are_five_tasks_though_there_are_ten_now(
    theatre: Theatre, graph: Graph
) -> None:
    five, ten = (pipeline(*(step(f"t{n}") for n in range(many))) for many in (5, 10))
    theatre.state(five, WEDNESDAY)
    run = theatre.play(five, WEDNESDAY)
    theatre.state(ten, FRIDAY)
    assert list(states(read_as_was(graph, run))) == [f"t{n}" for n in range(5)]


def test_how_each_task_went_is_told(theatre: Theatre, graph: Graph) -> None:
    stated = pipeline(
        step("good"), step("bad", retries=1), step("late", "bad"), spark={"spark.ui": "no"}
    )

    def bad() -> None:
        raise ValueError("broken")

    theatre.functions["bad"] = bad
    theatre.state(stated, WEDNESDAY)
    found = read_as_was(graph, theatre.play(stated, WEDNESDAY, day=3))
    assert states(found) == {"good": "COMPLETED", "bad": "FAILED", "late": "FAILED"}
    good, bad_task, late = found.tasks
    assert (bad_task.attempts, bad_task.reason) == (2, "USER_CODE")
    assert "broken" in (bad_task.error or "")
    assert late.reason == "UPSTREAM_FAILED"
    assert good.started_at
    assert good.ended_at
    assert good.log
    assert (found.params, found.spark) == ({"day": 3}, {"spark.ui": "no"})
    assert bad_task.settings == {"module": "m", "qualname": "bad", "retries": 1}


def test_tasks_that_were_not_asked_for_are_shown_as_not_run(theatre: Theatre, graph: Graph) -> None:
    theatre.state(DAILY, WEDNESDAY)
    found = read_as_was(graph, theatre.play(DAILY, WEDNESDAY, only=["b"]))
    assert states(found) == {"a": "NOT_RUN", "b": "COMPLETED", "c": "NOT_RUN"}


def test_a_task_that_completed_before_a_run_was_woken_many_times_is_shown(
    theatre: Theatre, graph: Graph
) -> None:
    theatre.state(DAILY, WEDNESDAY)
    run = theatre.play(DAILY, WEDNESDAY, only=["a"])
    graph.query("MATCH (r:Run {id: $id}) SET r.launches = 50", {"id": run}, write=True)
    assert states(read_as_was(graph, run))["a"] == "COMPLETED"


def test_a_run_that_waits_has_the_tasks_that_it_is_to_run(theatre: Theatre, graph: Graph) -> None:
    job = theatre.state(DAILY, WEDNESDAY)
    run = new_id()
    graph.write(launches.merge_queued, run_id=run, job_key=job, params=None, only=[], now=None)
    found = read_as_was(graph, run)
    assert found.missing == (
        "no version is known: the run has not begun, or its producer reported none",
    )


def test_tasks_that_the_run_itself_added_are_there_with_their_values(
    theatre: Theatre, graph: Graph
) -> None:
    def load(path: str) -> None: ...

    theatre.functions["find"] = lambda: lg.expand(load, path=["x", "y"], keys="path")
    stated = pipeline(step("find"), step("done", "find"))
    theatre.state(stated, WEDNESDAY)
    run = theatre.play(stated, WEDNESDAY)
    theatre.state(pipeline(step("done")), FRIDAY)
    found = read_as_was(graph, run)
    assert states(found) == dict.fromkeys(("find", "done", "load", "load.x", "load.y"), "COMPLETED")
    assert edges(found) == {("find", "load"), ("find", "done"), ("load", "done")}
    added = [task for task in found.tasks if task.is_added]
    assert [(task.path, task.values) for task in added] == [
        ("load", {}),
        ("load.x", {"path": "x"}),
        ("load.y", {"path": "y"}),
    ]
    assert [task.path for task in found.tasks if task.is_removed] == ["find"]


def test_data_is_there_at_the_versions_that_the_run_saw(theatre: Theatre, graph: Graph) -> None:
    stated = pipeline(*chain("a", "b"))
    theatre.state(stated, WEDNESDAY)
    writer = run_event("writer", at=WEDNESDAY - HOUR, outputs=(("lake", "raw"),))
    theatre.report([writer])
    run = theatre.play(stated, WEDNESDAY)
    theatre.data(run, "a", WEDNESDAY + HOUR, reads=["raw"], writes=["clean"])
    theatre.data(run, "b", WEDNESDAY + 2 * HOUR, reads=["clean"], writes=["gold"])
    before = read_as_was(graph, run)
    theatre.report([run_event("writer", at=FRIDAY, outputs=(("lake", "raw"),))])
    found = read_as_was(graph, run)
    assert found == before
    assert [(use.name, use.writer) for use in found.inputs] == [("raw", writer["run"]["runId"])]
    assert [use.name for use in found.outputs] == ["clean", "gold"]
    assert [[use.name for use in task.reads] for task in found.tasks] == [["raw"], ["clean"]]
    assert found.tasks[1].reads[0].version == found.tasks[0].writes[0].version


def test_of_a_run_without_a_definition_the_runs_below_it_are_shown(
    theatre: Theatre, graph: Graph
) -> None:
    top, extract, load = new_id(), new_id(), new_id()
    follows = {
        "upstream": [
            {"job": {"namespace": "default", "name": "dag.extract"}, "run": {"runId": extract}}
        ]
    }
    events = [
        run_event("dag", run_id=top, at=WEDNESDAY),
        run_event("dag.extract", run_id=extract, at=WEDNESDAY, parent=(top, "dag")),
        run_event("dag.load", "FAIL", run_id=load, at=WEDNESDAY + HOUR, parent=(top, "dag")),
    ]
    events[2]["run"]["facets"]["jobDependencies"] = follows
    theatre.report(events)
    found = read_as_was(graph, top)
    assert states(found) == {"extract": "COMPLETED", "load": "FAILED"}
    assert edges(found) == {("extract", "load")}
    (sentence,) = found.missing
    assert sentence.endswith("has no definition here: tasks are those that ran")


def test_runs_of_one_job_beside_each_other_are_tasks_of_their_own(
    theatre: Theatre, graph: Graph
) -> None:
    top, first, second = new_id(), new_id(), new_id()
    theatre.report(
        [
            run_event("dag", run_id=top, at=WEDNESDAY),
            run_event("dag.load", "FAIL", run_id=first, at=WEDNESDAY, parent=(top, "dag")),
            run_event("dag.load", run_id=second, at=WEDNESDAY + HOUR, parent=(top, "dag")),
            run_event("app", at=WEDNESDAY + HOUR, parent=(second, "dag.load")),
        ]
    )
    found = read_as_was(graph, top)
    assert states(found) == {
        "load": "FAILED",
        "load (2)": "COMPLETED",
        "load (2).app": "COMPLETED",
    }
    drawn = draw_as_was(found)
    assert [node.key for node in drawn.nodes] == ["load", "load (2).app"]


def test_runs_of_different_jobs_have_different_paths(theatre: Theatre, graph: Graph) -> None:
    top, a, b, dotted = new_id(), new_id(), new_id(), new_id()
    theatre.report(
        [
            run_event("dag", run_id=top, at=WEDNESDAY),
            run_event("dag.a", run_id=a, at=WEDNESDAY, parent=(top, "dag")),
            run_event("dag.a.b", "FAIL", run_id=b, at=WEDNESDAY + HOUR, parent=(a, "dag.a")),
            run_event("a.b", run_id=dotted, at=WEDNESDAY + 2 * HOUR, parent=(top, "dag")),
        ]
    )
    tasks = read_as_was(graph, top).tasks
    assert len({task.path for task in tasks}) == len(tasks) == 3
    assert {task.run for task in tasks} == {a, b, dotted}


def test_the_run_of_a_task_says_which_run_it_is_part_of(theatre: Theatre, graph: Graph) -> None:
    theatre.state(DAILY, WEDNESDAY)
    run = theatre.play(DAILY, WEDNESDAY)
    (task, *_) = read_as_was(graph, run).tasks
    found = read_as_was(graph, task.run or "")
    assert found.missing == (f"the version is that of the run around it: see run {run}",)


def test_what_is_not_kept_any_more_is_named(theatre: Theatre, graph: Graph) -> None:
    theatre.state(DAILY, WEDNESDAY)
    run = theatre.play(DAILY, WEDNESDAY)
    graph.query(
        "MATCH (s:Source) SET s.files = ['p.py'] REMOVE s.archive",
        write=True,
    )
    assert read_as_was(graph, run).missing == (
        "the archived code is no longer stored",
        "the environment was not recorded",
    )


def test_a_drawing_has_frames_for_containers_and_lines_between_the_tasks_in_them(
    theatre: Theatre, graph: Graph
) -> None:
    tables = Task(name="tables", work=GroupTask(tasks=chain("x", "y")), after=("a",))
    stated = pipeline(
        step("a"),
        tables,
        step("z", "tables"),
        parameters=(Parameter(name="d", type="int", default=1),),
    )
    theatre.state(stated, WEDNESDAY)
    found = draw_as_was(read_as_was(graph, theatre.play(stated, WEDNESDAY, only=["a"])))
    assert [(edge.source, edge.target) for edge in found.edges] == [
        ("a", "tables.x"),
        ("tables.x", "tables.y"),
        ("tables.y", "z"),
    ]
    assert "subgraph" in to_mermaid(found)
    assert "a (1s COMPLETED)" in to_dot(found)
    assert "z (not run)" in to_dot(found)
    assert to_svg(found).count('<rect class="box"') == 4
