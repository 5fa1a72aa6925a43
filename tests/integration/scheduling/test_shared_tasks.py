"""Equal tasks at the same time: one starts, the others wait for it and take its outcome."""

from datetime import timedelta

from lineagegraph.freshness.shared_task import Sharing, enter_shared, keep_shared
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.pipelines.entry import End, Entry, Start, Waits
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.freshness import waits
from lineagegraph.store.runs import leases
from tests.events import run_event
from tests.integration.freshness.theatre import Theatre

DAY = timedelta(days=1)


def sharing(stage: Theatre, job: str) -> Sharing:
    """A task of a run of its own, which the graph knows."""
    top, event = stage.queued(), run_event(job, "START")
    stage.graph.write(record, extract([event]))
    return Sharing(
        run_id=event["run"]["runId"],
        root_id=top,
        fence=1,
        job_key=next(key for key, name in stage.names.items() if name == job),
        identity="same",
        within=DAY,
    )


def enter(graph: Graph, task: Sharing) -> Entry:
    return graph.write(enter_shared, task)


def end(graph: Graph, task: Sharing, job: str, kind: str) -> None:
    graph.write(record, extract([run_event(job, kind, run_id=task.run_id)]))
    graph.write(leases.release_leases, run_ids=[task.run_id], now=None)


def test_one_starts_and_the_other_takes_what_it_came_to(graph: Graph) -> None:
    stage = Theatre(graph)
    stage.know("a", "b")
    first, second = sharing(stage, "a"), sharing(stage, "b")
    assert isinstance(enter(graph, first), Start)
    found = enter(graph, second)
    assert isinstance(found, Waits)
    assert found.is_shared
    assert graph.write(keep_shared, second, found)
    end(graph, first, "a", "COMPLETE")
    (due,) = graph.read(waits.due_waits, now=None)
    assert ([run_id for run_id, _ in due.waits], due.is_free) == ([second.run_id], True)
    taken = enter(graph, second)
    assert isinstance(taken, End)
    assert (taken.state, taken.reason) == (RunState.COMPLETED, "SHARED")


def test_where_it_failed_just_one_of_the_others_tries(graph: Graph) -> None:
    stage = Theatre(graph)
    stage.know("a", "b", "c")
    first, second, third = (sharing(stage, name) for name in "abc")
    assert isinstance(enter(graph, first), Start)
    end(graph, first, "a", "FAIL")
    assert isinstance(enter(graph, second), Start)
    assert isinstance(enter(graph, second), Start)
    assert isinstance(enter(graph, third), Waits)
