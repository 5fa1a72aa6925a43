"""Waits of notebooks and scripts, where no daemon lives."""

import asyncio
from pathlib import Path

import pytest

import lineagegraph as lg
from lineagegraph.errors import WaitFailed
from lineagegraph.graph import Graph
from lineagegraph.model.states import RunState
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import shared


@pytest.fixture
def flag(
    server: ServerAddress, graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A file to wait for, by settings that name the test's graph."""
    for name, value in shared(server, tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    return tmp_path / "flag"


def test_a_wait_is_awaited_while_the_loop_goes_on_and_another_blocks(
    graph: Graph, flag: Path
) -> None:
    landed = lg.sensor("file", "landed", path=str(flag), poke_interval="0.5s")

    async def work() -> object:
        waiting = asyncio.create_task(lg.wait(landed, name="mine.landed"))
        await asyncio.sleep(0.1)
        flag.touch()
        return await waiting

    waited = asyncio.run(work())
    assert waited
    assert waited.state is RunState.COMPLETED
    assert lg.wait_for(landed)
    rows = graph.query("MATCH (j:Job)-[:HAS_RUN]->(r:Run) RETURN j.name AS name, r.state AS state")
    assert {"name": "mine.landed", "state": "COMPLETED"} in rows
    assert len(graph.query("MATCH (s:Sensor) RETURN s.id AS id")) == 1


def test_a_wait_that_comes_to_nothing_says_so_and_one_that_is_left_ends(
    graph: Graph, flag: Path
) -> None:
    with pytest.raises(WaitFailed, match="landed: "):
        lg.wait_for(lg.sensor("file", "landed", path=str(flag), timeout="1s"))

    async def leave() -> None:
        async with asyncio.timeout(2):
            await lg.wait(lg.sensor("file", path=str(flag)))

    with pytest.raises(TimeoutError):
        asyncio.run(leave())
    assert graph.query("MATCH (r:Run {launch: 'SENSING'}) RETURN r.id AS id") == []
