"""Events that arrive together share transactions, and none suffers for another."""

import random
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph, Transaction
from lineagegraph.http.ingest import writer
from lineagegraph.model.names import keys
from lineagegraph.store.runs.runs import merge_runs
from tests.acceptance.ingestion.conftest import Serve
from tests.acceptance.processes import until
from tests.events import run_event
from tests.integration.ingest.test_order import TREE, dump, record_all, wipe
from tests.integration.ingest.test_order import run_event as tree_event


def post_all(client: httpx.Client, events: list[Any], clients: int) -> list[httpx.Response]:
    with ThreadPoolExecutor(clients) as pool:
        return list(pool.map(lambda event: client.post("/api/v1/lineage", json=event), events))


@pytest.fixture
def chain_of_long_names(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Each event is valid, and the last gives its job an FQN that Neo4j cannot index."""
    monkeypatch.setattr(keys, "_MOST_BYTES", 20_000)
    ids = [f"0199aaaa-0000-7000-8000-00000000000{n}" for n in range(5)]
    parents = [None] + [(ids[n], str(n) * 1900) for n in range(4)]
    return [run_event(str(n) * 1900, run_id=ids[n], parent=parents[n]) for n in range(5)]


def test_an_event_that_breaks_a_shared_transaction_fails_alone(
    client: httpx.Client, graph: Graph, chain_of_long_names: list[dict[str, Any]]
) -> None:
    *chain, poison = chain_of_long_names
    for event in chain:
        assert client.post("/api/v1/lineage", json=event).status_code == 201
    good = [run_event("job") for _ in range(60)]
    answers = post_all(client, [*good[:30], poison, *good[30:]], 32)
    statuses = [answer.status_code for answer in answers]
    assert statuses == [201] * 30 + [400] + [201] * 30
    (row,) = graph.query("MATCH (r:Run)<-[:HAS_RUN]-(:Job {fqn: 'job'}) RETURN count(r) AS runs")
    assert row == {"runs": 60}


def test_in_a_posted_batch_such_an_event_fails_alone(
    client: httpx.Client, chain_of_long_names: list[dict[str, Any]]
) -> None:
    *chain, poison = chain_of_long_names
    good = [run_event("job") for _ in range(20)]
    told = client.post("/api/v1/lineage/batch", json=[*chain, *good, poison, *good]).json()
    assert [failed["index"] for failed in told["failed_events"]] == [24]
    assert told["summary"]["successful"] == 44


def test_eight_clients_in_any_order_with_duplicates_give_the_same_graph(
    client: httpx.Client, graph: Graph
) -> None:
    chance = random.Random(4)
    for round_ in range(2):
        events = tree_events(chance)
        wipe(graph)
        record_all(graph, [[event] for event in events])
        expected = dump(graph)
        again = events + chance.sample(events, k=len(events) // 2)
        chance.shuffle(again)
        wipe(graph)
        assert {answer.status_code for answer in post_all(client, again, 8)} == {201}
        found = dump(graph)
        for part in ("nodes", "links"):
            assert set(found[part]) ^ set(expected[part]) == set(), round_
        assert found == expected


def tree_events(chance: random.Random) -> list[dict[str, Any]]:
    """Events of runs in four levels and under two workflows, parents and roots told at random."""
    files = ("/a", "/b", "/in")
    return [
        tree_event(
            run,
            chance.choice(["START", "RUNNING", "COMPLETE", "FAIL"]),
            chance.randrange(7),
            with_parent=chance.random() < 0.7,
            with_root=chance.random() < 0.5,
            inputs=tuple(chance.sample(files, k=chance.randrange(3))),
            outputs=tuple(chance.sample(files, k=chance.randrange(3))),
        )
        for run in sorted(TREE)
        for _ in range(3)
    ]


def test_a_flood_is_turned_away_and_what_was_taken_is_there(serve: Serve, graph: Graph) -> None:
    client = serve(max_waiting_events=2)
    answers = post_all(client, [run_event("job") for _ in range(120)], 40)
    taken = [answer for answer in answers if answer.status_code == 201]
    refused = [answer for answer in answers if answer.status_code == 503]
    assert len(taken) + len(refused) == 120
    assert refused
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
    (row,) = graph.query("MATCH (e:Event) RETURN count(e) AS events")
    assert row == {"events": len(taken)}


def test_an_event_that_cannot_be_written_yet_is_answered_and_is_written_later(
    client: httpx.Client, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = run_event("job")
    assert client.post("/api/v1/lineage", json=event).status_code == 201
    monkeypatch.setattr(writer, "_LONGEST_SECONDS", 4.5)
    is_locked, is_answered = Event(), Event()

    def lock(tx: Transaction) -> None:
        merge_runs(tx, ids=[event["run"]["runId"]])
        is_locked.set()
        is_answered.wait(60)

    with ThreadPoolExecutor(1) as pool:
        holder = pool.submit(graph.write, lock)
        is_locked.wait(60)
        answer = client.post("/api/v1/lineage", json=event | {"eventType": "FAIL"})
        is_answered.set()
        holder.result()
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    until(lambda: graph.query("MATCH (e:Event) RETURN count(e) AS n") == [{"n": 2}])
