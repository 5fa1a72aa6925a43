"""Runs that somebody wants to end, and that no worker has: they end at once."""

from datetime import timedelta

from lineagegraph.graph import Graph
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.runs.report import GraphReporter
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Claim
from tests.events import run_event
from tests.launches import HOUR, claimed, queued


def claim(graph: Graph, lease: timedelta) -> Claim:
    found = claimed(graph, queued(graph, "batch"), lease)
    reporter = GraphReporter(graph, found.id, found.fence, HOUR)
    reporter.report([run_event("batch", "START", run_id=found.id)])
    return found


def states(graph: Graph) -> list[tuple[str, str | None]]:
    rows = graph.query("MATCH (r:Run) RETURN r.state AS state, r.reason AS reason")
    return [(row["state"], row["reason"]) for row in rows]


def test_a_run_that_nobody_has_claimed_is_killed_at_once(graph: Graph) -> None:
    run_id = queued(graph, "batch")
    assert graph.write(cancel_run, run_id)
    assert states(graph) == [("KILLED", "CANCELLED")]
    assert not graph.write(
        launches.claim_run, id=run_id, owner="o", lease=HOUR, claim=None, now=None
    )
    assert not graph.write(cancel_run, run_id), "there is nothing to end any more"


def test_a_run_whose_worker_is_gone_is_killed_at_once_and_the_worker_is_not_heard(
    graph: Graph,
) -> None:
    lost = claim(graph, lease=timedelta(seconds=-1))
    assert graph.write(cancel_run, lost.id)
    assert states(graph) == [("KILLED", "CANCELLED")]
    late = GraphReporter(graph, lost.id, lost.fence, HOUR)
    late.report([run_event("batch", "COMPLETE", run_id=lost.id)])
    assert states(graph) == [("KILLED", "CANCELLED")]


def test_a_run_that_a_worker_has_is_ended_by_that(graph: Graph) -> None:
    held = claim(graph, lease=HOUR)
    assert graph.write(cancel_run, held.id)
    assert states(graph) == [("RUNNING", None)]
    assert graph.read(launches.get_cancelled, id=held.id)
