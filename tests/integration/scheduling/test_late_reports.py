"""What a worker reports whose run was taken from it is kept, and does not count."""

from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph.graph import Graph
from lineagegraph.liveness.contact import Contact
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import FIRING
from lineagegraph.model.triggers.condition import OnDataset, OnStatus, Or
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.runs.reap import reap_lost_runs, reap_run
from lineagegraph.runs.report import GraphReporter
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import LostRun
from tests.events import run_event
from tests.integration.scheduling.rules import write_rules

MAX_EVENT_AGE = timedelta(hours=1)
LEASE = timedelta(seconds=20)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
ENDED = OnStatus(job="batch.task", statuses=FIRING)
GOLD = OnDataset(namespace="file", name="/gold")


@pytest.fixture
def run_id(graph: Graph) -> str:
    report = Trigger(when=Or(operands=(ENDED, GOLD)))
    graph.write(write_rules, {"batch": Trigger(when=GOLD), "report": report}, LONG_AGO)
    id_ = new_id()
    key = job_key(None, "default", "batch")
    graph.write(launches.merge_queued, run_id=id_, job_key=key, params=None, only=[], now=None)
    return id_


def claimed(graph: Graph, run_id: str) -> GraphReporter:
    claim = graph.write(launches.claim_run, id=run_id, owner="o", lease=LEASE, claim=None, now=None)
    assert claim
    return GraphReporter(graph, run_id, claim.fence, MAX_EVENT_AGE)


def states(graph: Graph) -> dict[str, tuple[str, str | None]]:
    rows = graph.query(
        "MATCH (r:Run) WHERE r.name STARTS WITH 'batch' "
        "RETURN r.name AS name, r.state AS state, r.reason AS reason"
    )
    return {row["name"]: (row["state"], row["reason"]) for row in rows}


def lose(graph: Graph, run_id: str) -> None:
    reap_run(graph, LostRun(run_id, fence=1, launches=1, has_started=True), MAX_EVENT_AGE)


def test_what_a_lost_worker_completed_is_superseded_and_fires_nothing(
    graph: Graph, run_id: str
) -> None:
    reporter = claimed(graph, run_id)
    task, unheard = new_id(), new_id()
    above = (run_id, "batch")
    started = run_event("batch.task", "START", run_id=task, parent=above)
    reporter.report([run_event("batch", "START", run_id=run_id), started])
    lose(graph, run_id)
    firings = graph.query("MATCH (f:Firing) RETURN count(f) AS n")
    reporter.report(
        [
            run_event("batch.task", run_id=task, parent=above, outputs=(("file", "/gold"),)),
            run_event("batch.new", "START", run_id=unheard, parent=above),
            run_event("batch.new", "COMPLETE", run_id=unheard, parent=above),
            run_event("batch", run_id=run_id),
        ]
    )
    assert states(graph) == {
        "batch": ("FAILED", "LOST"),
        "batch.task": ("SUPERSEDED", "LATE"),
        "batch.new": ("SUPERSEDED", "LATE"),
    }
    assert graph.query("MATCH (f:Firing) RETURN count(f) AS n") == firings
    (kept,) = graph.query("MATCH (e:Event) RETURN count(e) AS events")
    assert kept["events"] == 2 + 2 + 4
    (version,) = graph.query("MATCH (v:DatasetVersion) RETURN v.written_at AS at")
    assert version["at"] is None


def test_a_report_keeps_the_lease_though_it_had_ended_when_the_reaper_looked(
    graph: Graph, run_id: str
) -> None:
    claim = graph.write(
        launches.claim_run, id=run_id, owner="o", lease=timedelta(seconds=-1), claim=None, now=None
    )
    assert claim
    (lost,) = graph.read(launches.due_lost, now=None)
    reporter = GraphReporter(graph, run_id, claim.fence, MAX_EVENT_AGE, lease=LEASE)
    reporter.report([run_event("batch", "START", run_id=run_id)])
    reap_run(graph, lost, MAX_EVENT_AGE, by_lease=True)
    assert states(graph)["batch"] == ("RUNNING", None)


def test_a_lost_worker_says_nothing_of_what_another_does(graph: Graph, run_id: str) -> None:
    stale = claimed(graph, run_id)
    delay = timedelta(0)
    graph.write(launches.settle_requeued, id=run_id, delay=delay, now=None)
    current = claimed(graph, run_id)
    current.report([run_event("batch", "START", run_id=run_id)])
    stale.report([run_event("batch", "FAIL", run_id=run_id)])
    assert states(graph) == {"batch": ("RUNNING", None)}
    current.report([run_event("batch", run_id=run_id)])
    stale.report([run_event("batch", "ABORT", run_id=run_id)])
    assert states(graph) == {"batch": ("COMPLETED", None)}


def test_a_worker_that_acts_as_daemon_does_not_take_its_own_run_for_lost(
    graph: Graph, run_id: str
) -> None:
    over = timedelta(seconds=-1)
    graph.write(launches.claim_run, id=run_id, owner="o", lease=over, claim=None, now=None)
    contact = Contact(gap=60, term=0)
    contact.note(datetime.now(UTC))
    assert reap_lost_runs(graph, MAX_EVENT_AGE, contact, own=run_id) == 0
    assert reap_lost_runs(graph, MAX_EVENT_AGE, contact) == 1


def claim_run_in_the_future(graph: Graph, run_id: str) -> tuple[int, datetime]:
    """Claim a run by a clock that is put back by an hour then; return the fence and the time."""
    before = datetime.now(UTC) + timedelta(hours=1)
    claim = graph.write(
        launches.claim_run, id=run_id, owner="o", lease=LEASE, claim=None, now=before
    )
    assert claim
    return claim.fence, before


def test_a_worker_that_died_before_the_clock_was_put_back_is_lost_as_any_other(
    graph: Graph, run_id: str
) -> None:
    _, before = claim_run_in_the_future(graph, run_id)
    for now in (before, before + timedelta(seconds=19), before - timedelta(seconds=19)):
        assert graph.read(launches.due_lost, now=now) == []
    contact = Contact(gap=60, term=0)
    contact.note(datetime.now(UTC))
    assert reap_lost_runs(graph, MAX_EVENT_AGE, contact) == 1


def test_a_worker_that_lives_renews_its_lease_by_the_clock_that_was_put_back(
    graph: Graph, run_id: str
) -> None:
    fence, _ = claim_run_in_the_future(graph, run_id)
    (lost,) = graph.read(launches.due_lost, now=None)
    graph.write(launches.set_lease, id=run_id, fence=fence, owner="o", lease=LEASE, now=None)
    assert graph.read(launches.due_lost, now=None) == []
    reap_run(graph, lost, MAX_EVENT_AGE, by_lease=True)
    assert graph.read(launches.due_lost, now=datetime.now(UTC) + timedelta(minutes=1)) != []
