"""Runs that are to be parked, and what happens to them at that moment."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lineagegraph.admin.pools import set_pool
from lineagegraph.freshness.pool_slots import SlotRequest, take_slots
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.process_environment.task_processes import claim_mark
from lineagegraph.reactions.commit import commit
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.settings import Settings
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Claim
from lineagegraph.worker import launcher
from lineagegraph.worker.launcher import Launcher, Worker
from tests.answer_losing import AnswerLosing
from tests.events import run_event
from tests.integration.races.overlap import calling_after, overlap
from tests.launches import claimed, queued


def rest(graph: Graph, claim: Claim, most: int = 0) -> bool | None:
    """Do what a worker does whose tasks all wait; return whether its run is parked."""
    return graph.write(
        launches.settle_resting,
        id=claim.id,
        fence=claim.fence,
        most=most,
        keeps_process=False,
        by_worker=True,
        now=None,
    )


def launch_of(graph: Graph, claim: Claim) -> str | None:
    (row,) = graph.query("MATCH (r:Run {id: $id}) RETURN r.launch AS launch", {"id": claim.id})
    found: str | None = row["launch"]
    return found


@pytest.fixture
def claim(graph: Graph) -> Claim:
    return claimed(graph, queued(graph, "batch"))


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        yield process
        process.kill()


@pytest.fixture
def of_daemon(
    graph: Graph, claim: Claim, process: subprocess.Popen[bytes], tmp_path: Path
) -> Launcher:
    """The launcher of a daemon that has one worker."""
    found = Launcher(graph, Settings(home=tmp_path), "o")
    found.workers[claim.id] = Worker(claim, process, claim_mark(claim.id, claim.fence, ""), 0.0)
    return found


@pytest.fixture
def once_listed(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Functions that a daemon calls once it has listed its runs, and has parked none yet."""
    return calling_after(monkeypatch, launcher.launches, "list_launched")


def test_a_run_that_was_cancelled_before_its_worker_knew_of_it_is_not_parked(
    graph: Graph, claim: Claim
) -> None:
    assert graph.write(cancel_run, claim.id)
    assert rest(graph, claim) is False
    assert launch_of(graph, claim) == "CLAIMED"


def test_a_worker_whose_run_was_parked_without_an_answer_knows_it_when_it_asks_again(
    graph: Graph, claim: Claim, server: ServerAddress
) -> None:
    with AnswerLosing(server.bolt) as way, Graph(way.uri, server.user, server.password) as lossy:
        way.losses = 1
        assert rest(lossy.outlasting(), claim, most=-1) is True
        assert way.losses == 0
    assert launch_of(graph, claim) == "PARKED"
    (row,) = graph.query("MATCH (r:Run) RETURN r.resting_since AS resting_since")
    assert row["resting_since"] is None


def test_a_run_is_not_parked_whose_wait_within_a_group_has_just_ended(
    graph: Graph, claim: Claim
) -> None:
    group, task = new_id(), new_id()
    parts = [
        run_event("batch.group", "START", run_id=group, parent=(claim.id, "batch")),
        run_event("batch.group.task", "OTHER", run_id=task, parent=(group, "batch.group")),
    ]
    graph.write(commit, extract(parts))
    text = "MATCH (r:Run {id: $id}) CREATE (r)-[:WAITS_ON {outcome: 'MET'}]->(:Job {key: 'k'})"
    graph.query(text, {"id": task}, write=True)
    assert rest(graph, claim) is False
    assert launch_of(graph, claim) == "CLAIMED"


def cancel(graph: Graph, claim: Claim) -> None:
    graph.write(cancel_run, claim.id)


def go_on(graph: Graph, claim: Claim) -> None:
    graph.write(launches.set_working, id=claim.id, fence=claim.fence)


@pytest.mark.parametrize("change", [cancel, go_on])
def test_a_daemon_that_leaves_does_not_park_a_run_that_was_cancelled_or_works_again(
    graph: Graph,
    claim: Claim,
    of_daemon: Launcher,
    process: subprocess.Popen[bytes],
    once_listed: list[Callable[[], object]],
    change: Callable[[Graph, Claim], None],
) -> None:
    assert rest(graph, claim, most=1) is False
    once_listed.append(lambda: change(graph, claim))
    assert of_daemon.park_resting() == ["batch"]
    assert launch_of(graph, claim) == "CLAIMED"
    assert process.poll() is None


def test_a_daemon_that_leaves_does_not_park_a_run_whose_task_has_just_taken_its_slots(
    graph: Graph,
    claim: Claim,
    of_daemon: Launcher,
    once_listed: list[Callable[[], object]],
) -> None:
    set_pool(graph, "spark", 1)
    part = new_id()
    event = run_event("batch.part", "OTHER", run_id=part, parent=(claim.id, "batch"))
    graph.write(commit, extract([event]))
    task = SlotRequest(
        run_id=part,
        root_id=claim.id,
        fence=claim.fence,
        job_key="k",
        pool="spark",
        slots=1,
        priority=0,
    )
    assert rest(graph, claim, most=1) is False
    once_listed.append(lambda: graph.write(take_slots, task))
    assert of_daemon.park_resting() == ["batch"]
    assert launch_of(graph, claim) == "CLAIMED"


def test_a_daemon_that_leaves_parks_a_run_that_only_waits(
    graph: Graph, claim: Claim, of_daemon: Launcher, process: subprocess.Popen[bytes]
) -> None:
    assert rest(graph, claim, most=1) is False
    assert of_daemon.park_resting() == []
    assert launch_of(graph, claim) == "PARKED"
    assert process.wait(10) < 0


def test_a_daemon_that_can_start_no_worker_leaves_the_other_runs_queued(
    graph: Graph, tmp_path: Path
) -> None:
    for name in ("first", "second", "third"):
        queued(graph, name)
    (tmp_path / "logs").touch()
    daemon = Launcher(graph, Settings(home=tmp_path), "o")
    assert [daemon.launch_queued() for _ in range(3)] == [0, 0, 0]
    (row,) = graph.query("MATCH (r:Run) RETURN sum(r.launches) AS launches")
    assert row["launches"] == 1


def test_a_run_that_ends_while_it_is_cancelled_is_not_to_be_cancelled_any_more(
    graph: Graph, claim: Claim
) -> None:
    assert not overlap(
        graph,
        lambda tx: launches.release_run(tx, id=claim.id),
        lambda tx: cancel_run(tx, claim.id),
    )
    assert graph.read(launches.get_cancelled, id=claim.id) is False
