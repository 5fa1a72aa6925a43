"""Changes that Neo4j makes though its answer to the commit is lost."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.admin.skips import add_skip
from lineagegraph.admin.tokens import add_token, list_tokens, revoke_token
from lineagegraph.backfills.start import start_backfill
from lineagegraph.errors import CommitUnknown
from lineagegraph.graph import Graph
from lineagegraph.model.triggers.backfill import BackfillSpan, NominalRange
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.runs.queue import QueueRequest, queue_run
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audit
from lineagegraph.worker.launcher import Launcher
from tests.answer_losing import AnswerLosing
from tests.definitions import daily, define

JANUARY = BackfillSpan(times=NominalRange("2026-01-01", "2026-01-31"))
Change = Callable[[Graph, str], object]


@pytest.fixture
def way(graph: Graph, server: ServerAddress) -> Iterator[AnswerLosing]:
    with AnswerLosing(server.bolt) as way:
        yield way


@pytest.fixture
def lossy(way: AnswerLosing, server: ServerAddress) -> Iterator[Graph]:
    with Graph(way.uri, server.user, server.password) as lossy:
        yield lossy.with_patience(1)


def count(graph: Graph, label: str) -> int:
    (row,) = graph.query(f"MATCH (n:{label}) RETURN count(n) AS n")
    found: int = row["n"]
    return found


def asked(job: str) -> QueueRequest:
    return QueueRequest(job_key=job, fqn="daily", params={"day": "2026-01-01"})


@pytest.mark.parametrize(
    ("change", "label"),
    [
        (lambda graph, job: queue_run(graph, asked(job)), "Run"),
        (lambda graph, job: start_backfill(graph, job, JANUARY), "Backfill"),
        (lambda graph, job: add_skip(graph, job, "too late"), "Skip"),
    ],
    ids=["run", "backfill", "skip"],
)
def test_what_a_request_creates_is_there_once(
    graph: Graph, lossy: Graph, way: AnswerLosing, change: Change, label: str
) -> None:
    job = define(graph, daily())
    entries = count(graph, "AuditEntry")
    way.losses = 1
    change(lossy, job)
    assert way.losses == 0
    assert (count(graph, label), count(graph, "AuditEntry")) == (1, entries + 1)


def test_a_token_is_returned_and_its_deletion_succeeds(lossy: Graph, way: AnswerLosing) -> None:
    way.losses = 1
    assert add_token(lossy, "ci", {}).startswith("lg_")
    way.losses = 1
    revoke_token(lossy, "ci")
    assert list_tokens(lossy) == []


def test_a_read_is_repeated(lossy: Graph, way: AnswerLosing) -> None:
    way.losses, way.of_reads = 2, True
    assert count(lossy, "Run") == 0
    assert way.losses == 0


def test_a_run_is_claimed_by_who_asks_again(
    graph: Graph, lossy: Graph, way: AnswerLosing, tmp_path: Path
) -> None:
    queued = queue_run(graph, asked(define(graph, daily())))
    launcher = Launcher(lossy.outlasting(), Settings(home=tmp_path), "here:1")
    way.losses = 1
    worker = launcher.launch(queued.run_id)
    assert way.losses == 0
    assert worker is not None
    launcher.kill()
    worker.process.wait()
    assert (worker.claim.fence, worker.claim.launches) == (1, 1)
    assert launcher.launch(queued.run_id) is None


def test_a_change_that_left_no_trace_may_have_been_made(lossy: Graph, way: AnswerLosing) -> None:
    way.losses = 1
    with pytest.raises(CommitUnknown, match="may have been made"):
        lossy.query("CREATE (:Mark)", write=True)
    assert count(lossy, "Mark") == 1


def test_a_change_may_have_been_made_if_neo4j_stays_away(
    graph: Graph, lossy: Graph, way: AnswerLosing
) -> None:
    way.losses, way.stays_away = 1, True
    with pytest.raises(CommitUnknown, match="may have been made"):
        add_token(lossy, "ci", {})
    assert [one.name for one in list_tokens(graph)] == ["ci"]


def test_a_change_that_was_not_made_is_not_taken_for_one(
    graph: Graph, lossy: Graph, way: AnswerLosing
) -> None:
    def forgotten(tx: Any) -> None:
        audit(tx, "token.add", "ci")
        tx.run("MATCH (e:AuditEntry) DELETE e")

    way.losses = 1
    with pytest.raises(CommitUnknown):
        lossy.write(forgotten)
