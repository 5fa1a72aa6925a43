"""A sensor process in a thread of the test."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from lineagegraph.graph import Graph
from lineagegraph.sensing.process import SensorProcess
from lineagegraph.sensors.context import open_context
from lineagegraph.sensors.poke_notes import PokeNotes
from lineagegraph.settings import Settings

Sensing = Callable[..., AbstractContextManager[SensorProcess]]


@pytest.fixture
def sensing(graph: Graph, settings: Settings) -> Sensing:
    """Start a process with some settings; it leaves at the end of the block."""

    @contextmanager
    def start(**changes: object) -> Iterator[SensorProcess]:
        chosen = settings.model_copy(update={"sensor_lease_seconds": 2.0, **changes})
        there: list[tuple[SensorProcess, asyncio.AbstractEventLoop, asyncio.Event]] = []
        ready = threading.Event()

        async def main() -> None:
            stop = asyncio.Event()
            async with open_context(chosen) as context:
                process = SensorProcess(graph, chosen, context, PokeNotes.create())
                there.append((process, asyncio.get_running_loop(), stop))
                ready.set()
                await process.run(stop)

        thread = threading.Thread(target=asyncio.run, args=(main(),), daemon=True)
        thread.start()
        assert ready.wait(10)
        process, loop, stop = there[0]
        try:
            yield process
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(20)
            assert not thread.is_alive()

    return start
