"""Waits of notebooks and scripts, where no daemon lives."""

import asyncio
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import lineagegraph as lg
from lineagegraph.client import waiting
from lineagegraph.errors import WaitFailed
from lineagegraph.execution import sensor_process
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.store.admin import processes
from tests.acceptance.ingestion.relay import Relay
from tests.acceptance.processes import shared, until

OPEN = "MATCH (r:Run {launch: 'SENSING'}) RETURN r.id AS id"


@pytest.fixture
def flag(
    server: ServerAddress, graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A file to wait for, by settings that name the test's graph."""
    for name, value in shared(server, tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LINEAGEGRAPH_NOTIFY", '[{"on": ["killed"], "to": "log:"}]')
    return tmp_path / "flag"


@pytest.fixture
def looker(graph: Graph) -> None:
    """A sensor process that others take for living; it looks at nothing."""
    about = {"id": "looker", "kind": processes.SENSORS, "host": socket.gethostname()}
    graph.write(processes.merge_process, **about, pid=os.getpid(), address=None, now=None)


@pytest.fixture
def relay(server: ServerAddress, flag: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Relay]:
    """The road to the graph of those who wait."""
    host, port = server.bolt.removeprefix("bolt://").split(":")
    found = Relay(host, int(port))
    monkeypatch.setenv("LINEAGEGRAPH_NEO4J_URI", f"bolt://127.0.0.1:{found.port}")
    yield found
    found.cut()


def test_a_wait_is_awaited_while_the_loop_goes_on_and_another_blocks(
    graph: Graph, flag: Path
) -> None:
    landed = lg.sensor("file", "landed", path=str(flag), poke_interval="0.5s")

    async def work() -> object:
        waiting = asyncio.create_task(lg.wait_async(landed, name="mine.landed"))
        await asyncio.sleep(0.1)
        flag.touch()
        return await waiting

    waited = asyncio.run(work())
    assert waited
    assert waited.state is RunState.COMPLETED
    assert lg.wait(landed)
    rows = graph.query("MATCH (j:Job)-[:HAS_RUN]->(r:Run) RETURN j.name AS name, r.state AS state")
    assert {"name": "mine.landed", "state": "COMPLETED"} in rows
    assert len(graph.query("MATCH (s:Sensor) RETURN s.id AS id")) == 1


def test_a_wait_that_comes_to_nothing_says_so(flag: Path) -> None:
    with pytest.raises(WaitFailed, match="landed: "):
        lg.wait(lg.sensor("file", "landed", path=str(flag), timeout="1s"))


def test_a_wait_that_is_cancelled_ends_and_who_is_to_be_told_is(
    graph: Graph, looker: None, flag: Path
) -> None:
    async def leave() -> None:
        begun = asyncio.create_task(lg.wait_async(lg.sensor("file", path=str(flag))))
        await asyncio.to_thread(until, lambda: graph.query(OPEN))
        begun.cancel()
        await begun

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(leave())
    assert graph.query(OPEN) == []
    assert len(graph.query("MATCH (n:Notification) RETURN n.key AS key")) == 1


@pytest.mark.parametrize("seconds", [0, 0.05])
def test_a_wait_that_is_cancelled_while_it_begins_is_left(
    graph: Graph, looker: None, flag: Path, seconds: float
) -> None:
    async def leave() -> None:
        begun = asyncio.create_task(lg.wait_async(lg.sensor("file", path=str(flag))))
        await asyncio.sleep(seconds)
        begun.cancel()

    asyncio.run(leave())
    assert graph.query(OPEN) == []


def test_a_wait_goes_on_where_the_graph_was_away(
    graph: Graph, looker: None, flag: Path, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_PATIENCE", 0.1)

    async def work() -> None:
        wait = asyncio.create_task(lg.wait_async(lg.sensor("file", path=str(flag))))
        await asyncio.to_thread(until, lambda: graph.query(OPEN))
        relay.cut()
        await asyncio.sleep(2)
        assert not wait.done()
        relay.mend()
        graph.write(cancel_run, graph.query(OPEN)[0]["id"])
        await wait

    with pytest.raises(WaitFailed, match="cancelled"):
        asyncio.run(work())


def test_a_wait_has_a_process_of_its_own_once_the_one_that_looked_is_gone(
    graph: Graph, looker: None, flag: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sensor_process, "_PAUSE", 0.2)
    flag.touch()

    async def work() -> object:
        wait = asyncio.create_task(lg.wait_async(lg.sensor("file", path=str(flag))))
        await asyncio.sleep(2)
        assert not wait.done()
        graph.write(processes.delete_process, id="looker")
        return await wait

    assert asyncio.run(work())
