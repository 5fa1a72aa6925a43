"""Runs of batches whose worker is lost."""

from typing import Any

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.pipelines.entry import Start
from lineagegraph.model.runs.ids import new_id
from lineagegraph.reactions.commit import commit
from lineagegraph.runs.reap import reap_run
from lineagegraph.store.runs.launches import LostRun
from tests.events import run_event
from tests.integration.freshness.theatre import MAX_EVENT_AGE, Theatre

TOP = new_id()


def report(graph: Graph, job: str, kind: str, **said: Any) -> str:
    own = said.pop("own", None)
    event = run_event(job, kind, **said)
    if own:
        event["run"]["facets"]["lineagegraph"] = own
    graph.write(commit, extract([event]), max_event_age=MAX_EVENT_AGE)
    return str(event["run"]["runId"])


def lose(graph: Graph, losses: int = 0) -> tuple[str, str]:
    """Lose the worker of a batch of which a task runs and another waits; return their runs."""
    report(graph, "kpi", "START", run_id=TOP)
    running = report(graph, "kpi.a", "START", parent=(TOP, "kpi"))
    waits = {"state": "WAITING", "reason": "WAITS_FOR_PARENTS", "message": "for fx"}
    waiting = report(graph, "kpi.b", "OTHER", parent=(TOP, "kpi"), own=waits)
    graph.query(
        "MATCH (r:Run {id: $id}) SET r += {launch: 'CLAIMED', fence: 1, launches: 1,"
        " resumable: true, losses: $losses, queued_at: r.created_at}",
        {"id": TOP, "losses": losses},
        write=True,
    )
    stage = Theatre(graph)
    task = stage.task("kpi.a", top=TOP, run_id=running)
    assert isinstance(stage.enter(task), Start)
    reap_run(graph, LostRun(TOP, 1, 1, True), MAX_EVENT_AGE)
    return running, waiting


def states(graph: Graph, *ids: str) -> list[tuple[str, str | None]]:
    rows = graph.query(
        "UNWIND $ids AS id MATCH (r:Run {id: id}) RETURN r.state AS s, r.launch AS l", {"ids": ids}
    )
    return [(row["s"], row["l"]) for row in rows]


def held(graph: Graph) -> list[Any]:
    return [row["r"] for row in graph.query("MATCH (l:Lease) RETURN l.run_id AS r")]


def test_what_was_under_way_is_lost_and_the_rest_goes_on(graph: Graph) -> None:
    running, waiting = lose(graph)
    assert states(graph, TOP, running, waiting) == [
        ("RUNNING", "QUEUED"),
        ("FAILED", None),
        ("WAITING", None),
    ]
    assert held(graph) == [None]


def test_a_run_that_is_lost_again_and_again_fails_with_all_that_is_left(graph: Graph) -> None:
    running, waiting = lose(graph, losses=3)
    found = states(graph, TOP, running, waiting)
    assert found == [("FAILED", None), ("FAILED", None), ("FAILED", None)]
    assert held(graph) == [None]
