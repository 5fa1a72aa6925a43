"""Runs that somebody wants to end, and that no worker has: they end at once."""

from datetime import timedelta
from time import sleep

from lineagegraph.graph import Graph
from lineagegraph.liveness.contact import Contact
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.runs.reap import reap_lost_runs, reap_run
from lineagegraph.runs.report import GraphReporter
from lineagegraph.store.admin.processes import DAEMON, merge_process
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Claim, LostRun
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


def test_a_run_whose_worker_could_not_renew_its_lease_is_left_to_a_daemon_that_waits_for_it(
    graph: Graph,
) -> None:
    silent = claim(graph, lease=timedelta(milliseconds=1))
    graph.write(merge_process, id="d", kind=DAEMON, host="nowhere", pid=1, address=None, now=None)
    sleep(0.01)
    assert graph.write(cancel_run, silent.id)
    assert states(graph) == [("RUNNING", None)]
    reap_lost_runs(graph, HOUR, Contact(gap=HOUR.total_seconds(), term=HOUR.total_seconds()))
    assert states(graph) == [("RUNNING", None)]
    renewed = graph.write(
        launches.set_lease, id=silent.id, fence=silent.fence, owner="o", lease=HOUR, now=None
    )
    assert renewed is not None


def test_a_cancelled_run_whose_worker_is_gone_is_killed_by_who_reaps_it(graph: Graph) -> None:
    held = claim(graph, lease=HOUR)
    graph.write(cancel_run, held.id)
    reap_run(graph, LostRun(held.id, held.fence, held.launches, has_started=True), HOUR)
    assert states(graph) == [("KILLED", "CANCELLED")]
    assert graph.read(launches.due_lost, now=None) == []


def test_a_run_that_a_worker_has_is_ended_by_that(graph: Graph) -> None:
    held = claim(graph, lease=HOUR)
    assert graph.write(cancel_run, held.id)
    assert states(graph) == [("RUNNING", None)]
    assert graph.read(launches.get_cancelled, id=held.id)
