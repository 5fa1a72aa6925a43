"""What a dead worker had not reported is reported for it, before its run is settled."""

import json
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.execution.spool import RunSpool, list_spools, read_spool, spool_path
from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.runs import reap
from lineagegraph.runs.reap import reap_run, replay_ended_spools
from lineagegraph.runs.report import GraphReporter
from lineagegraph.settings import Settings
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Claim, LostRun
from lineagegraph.worker.launcher import Launcher, Worker
from tests.events import run_event
from tests.launches import claimed, queued

MAX_EVENT_AGE = timedelta(hours=1)
LEASE = timedelta(seconds=20)
FACTS = """
MATCH (r:Run)<-[:REPORTS]-(e:Event) RETURN r.facts AS facts, e.body AS body ORDER BY facts, body
"""


@pytest.fixture
def claim(graph: Graph) -> Claim:
    return claimed(graph, queued(graph, "batch"), LEASE)


def lose(graph: Graph, claim: Claim, logs: Path, *, has_started: bool) -> None:
    lost = LostRun(claim.id, claim.fence, claim.launches, has_started=has_started)
    reap_run(graph, lost, MAX_EVENT_AGE, logs=logs)


def spooled(claim: Claim, logs: Path) -> RunSpool:
    (logs / claim.id).mkdir()
    return RunSpool(spool_path(logs / claim.id, claim.fence))


def states(graph: Graph) -> dict[str, tuple[str, str | None]]:
    rows = graph.query("MATCH (r:Run) RETURN r.name AS name, r.state AS state, r.reason AS reason")
    return {row["name"]: (row["state"], row["reason"]) for row in rows}


def test_a_task_that_had_completed_counts_though_its_worker_died_before_it_could_say_so(
    graph: Graph, claim: Claim, tmp_path: Path
) -> None:
    above, done, begun = (claim.id, "batch"), new_id(), new_id()
    GraphReporter(graph, claim.id, claim.fence, MAX_EVENT_AGE).report(
        [run_event("batch", "START", run_id=claim.id)]
    )
    spool = spooled(claim, tmp_path)
    spool.append([run_event("batch.done", "START", run_id=done, parent=above)])
    spool.append([run_event("batch.done", "COMPLETE", run_id=done, parent=above)])
    spool.append([run_event("batch.begun", "START", run_id=begun, parent=above)])
    lose(graph, claim, tmp_path, has_started=True)
    assert states(graph) == {
        "batch": ("FAILED", "LOST"),
        "batch.done": ("COMPLETED", None),
        "batch.begun": ("FAILED", "LOST"),
    }
    assert list_spools(tmp_path / claim.id) == []


def test_a_run_whose_end_was_all_that_was_missing_ended_so(
    graph: Graph, claim: Claim, tmp_path: Path
) -> None:
    spool = spooled(claim, tmp_path)
    spool.append([run_event("batch", kind, run_id=claim.id) for kind in ("START", "COMPLETE")])
    lose(graph, claim, tmp_path, has_started=False)
    assert states(graph) == {"batch": ("COMPLETED", None)}
    run = graph.read(launches.get_launch, id=claim.id)
    assert graph.read(launches.list_queued, most=9, now=None) == []
    assert run is not None


def test_one_event_that_is_none_takes_no_other_with_it(
    graph: Graph, claim: Claim, tmp_path: Path
) -> None:
    spooled(claim, tmp_path).append(
        [run_event("batch", "START", run_id=claim.id), {"run": {"runId": 1}}]
    )
    lose(graph, claim, tmp_path, has_started=False)
    assert states(graph) == {"batch": ("FAILED", "LOST")}
    (line,) = (tmp_path / claim.id / "refused.ndjson").read_text().splitlines()
    assert json.loads(line)["event"] == {"run": {"runId": 1}}


def test_what_a_worker_that_lives_writes_while_its_spool_is_read_is_kept(
    graph: Graph, claim: Claim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    above, task = (claim.id, "batch"), new_id()
    spool = spooled(claim, tmp_path)
    spool.append([run_event("batch", "START", run_id=claim.id)])
    spool.append([run_event("batch.task", "START", run_id=task, parent=above)])

    def read(path: Path) -> list[dict[str, Any]]:
        events = read_spool(path)
        if len(events) == 2:
            spool.append([run_event("batch.task", "COMPLETE", run_id=task, parent=above)])
        return events

    monkeypatch.setattr(reap, "read_spool", read)
    assert reap.replay_spool(graph, tmp_path / claim.id, claim.id, MAX_EVENT_AGE)
    assert reap.replay_spool(graph, tmp_path / claim.id, claim.id, MAX_EVENT_AGE)
    assert states(graph)["batch.task"] == ("COMPLETED", None)
    assert list_spools(tmp_path / claim.id) == []


def test_a_spool_that_cannot_be_read_keeps_no_other(
    graph: Graph, claim: Claim, tmp_path: Path
) -> None:
    other = claimed(graph, queued(graph, "other"), LEASE)
    first, last = sorted((claim, other), key=lambda one: one.id)
    (tmp_path / first.id / "spool-1.ndjson").mkdir(parents=True)
    for one in (first, last):
        reap_run(graph, LostRun(one.id, one.fence, one.launches, has_started=True), MAX_EVENT_AGE)
    spooled(last, tmp_path).append([run_event("late.task", run_id=new_id())])
    replay_ended_spools(graph, tmp_path, MAX_EVENT_AGE)
    assert states(graph)["late.task"] == (RunState.SUPERSEDED, "LATE")
    assert len(list_spools(tmp_path / first.id)) == 1


def test_a_worker_whose_spool_cannot_be_read_keeps_a_daemon_from_no_other(
    graph: Graph, claim: Claim, tmp_path: Path
) -> None:
    other = claimed(graph, queued(graph, "other"), LEASE)
    (tmp_path / "logs" / claim.id / "spool-1.ndjson").mkdir(parents=True)
    daemon = Launcher(graph, Settings(home=tmp_path), "o")
    for one in (claim, other):
        process = subprocess.Popen(["true"])
        process.wait()
        daemon.workers[one.id] = Worker(one, process, f"{one.id}/no such place/", 0.0)
    assert daemon.collect_ended() == 2
    later = datetime.now(UTC) + 2 * LEASE
    assert [one.id for one in graph.read(launches.due_lost, now=later)] == [claim.id]


def test_what_an_earlier_worker_left_is_late(graph: Graph, claim: Claim, tmp_path: Path) -> None:
    spool = spooled(claim, tmp_path)
    spool.append([run_event("batch.task", run_id=new_id(), parent=(claim.id, "batch"))])
    graph.write(launches.settle_requeued, id=claim.id, delay=timedelta(0), now=None)
    lose(graph, claimed(graph, claim.id, LEASE), tmp_path, has_started=False)
    assert states(graph)["batch.task"] == (RunState.SUPERSEDED, "LATE")


def test_a_run_whose_worker_never_began_counts_from_its_first_submission(
    graph: Graph, claim: Claim
) -> None:
    text = "MATCH (r:Run {id: $id}) RETURN r.queued_at AS at"
    (before,) = graph.query(text, {"id": claim.id})
    graph.write(launches.settle_requeued, id=claim.id, delay=timedelta(minutes=5), now=None)
    options = graph.write(launches.claim_batch, id=claim.id)
    assert options.submitted_at == before["at"]


def test_what_is_left_of_a_run_that_another_machine_settled_is_late(
    graph: Graph, claim: Claim, tmp_path: Path
) -> None:
    spool = spooled(claim, tmp_path)
    spool.append([run_event("batch.task", run_id=new_id(), parent=(claim.id, "batch"))])
    replay_ended_spools(graph, tmp_path, MAX_EVENT_AGE)
    assert list_spools(tmp_path / claim.id) != []
    start = run_event("batch", "START", run_id=claim.id)
    GraphReporter(graph, claim.id, claim.fence, MAX_EVENT_AGE).report([start])
    reap_run(graph, LostRun(claim.id, claim.fence, claim.launches, has_started=True), MAX_EVENT_AGE)
    replay_ended_spools(graph, tmp_path, MAX_EVENT_AGE)
    assert states(graph)["batch.task"] == (RunState.SUPERSEDED, "LATE")
    assert list_spools(tmp_path / claim.id) == []


def test_what_was_reported_before_its_worker_could_empty_the_spool_is_kept_once(
    graph: Graph, claim: Claim, tmp_path: Path
) -> None:
    task, skipped, above = new_id(), new_id(), (claim.id, "batch")
    events = [
        run_event("batch.task", run_id=task, parent=above),
        run_event("batch.skipped", "ABORT", run_id=skipped, parent=above),
        run_event("batch", run_id=claim.id),
    ]
    spooled(claim, tmp_path).append(events)
    GraphReporter(graph, claim.id, claim.fence, MAX_EVENT_AGE).report(events)
    before = graph.query(FACTS)
    lose(graph, claim, tmp_path, has_started=True)
    assert graph.query(FACTS) == before
    assert list_spools(tmp_path / claim.id) == []
