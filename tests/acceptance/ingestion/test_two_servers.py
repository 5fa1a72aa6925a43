"""Two servers that write one graph and are killed, and four writers of the same events."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.ingestion.test_groups import tree_events
from tests.acceptance.mortal import MortalServer, post_events
from tests.acceptance.processes import Commands, shared, until
from tests.integration.ingest.test_order import dump, record_all, wipe

WRITERS = 4


def test_the_graph_is_that_of_events_one_by_one(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    check(graph, server, tmp_path, draws=2, deaths=3)


@pytest.mark.soak
def test_the_graph_is_that_of_events_one_by_one_at_length(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    for round_ in range(6):
        check(graph, server, tmp_path / str(round_), draws=12, deaths=12, seed=round_)


def check(
    graph: Graph, server: ServerAddress, folder: Path, *, draws: int, deaths: int, seed: int = 0
) -> None:
    chance = random.Random(seed)
    events = [event for _ in range(draws) for event in tree_events(chance)]
    wipe(graph)
    record_all(graph, [[event] for event in events])
    expected = dump(graph)
    wipe(graph)
    answers: list[int] = []
    with ExitStack() as stack:
        servers = []
        for home in (folder / "first", folder / "second"):
            home.mkdir(parents=True)
            environment = Commands(home, shared(server, home)).environment
            servers.append(MortalServer(environment, home, deaths, seed=len(servers)))
            stack.enter_context(servers[-1])
        pool = stack.enter_context(ThreadPoolExecutor(WRITERS))
        posting = [
            pool.submit(post_events, servers[number % 2].url, shuffled(events, number), answers)
            for number in range(WRITERS)
        ]
        for one in posting:
            one.result()
        until(lambda: not list(folder.glob("*/spool/0*")), 60)
    assert {0, 200, 201} <= set(answers)
    assert all(one.deaths < deaths for one in servers)
    found = dump(graph)
    for part in ("nodes", "links"):
        assert set(found[part]) ^ set(expected[part]) == set()
    assert found == expected


def shuffled(events: list[dict[str, Any]], seed: int) -> list[dict[str, Any]]:
    return random.Random(seed).sample(events, k=len(events))
