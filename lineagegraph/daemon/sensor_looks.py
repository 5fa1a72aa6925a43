"""Looks that a run takes itself, at sensors which it does not share."""

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from threading import Thread
from typing import Any, TypeVar

from lineagegraph.daemon.sensor_steps import sensor_of
from lineagegraph.execution.plan import Step
from lineagegraph.execution.python_work import Load
from lineagegraph.graph import Graph
from lineagegraph.sensors import Sensor
from lineagegraph.sensors.context import PokeContext, open_context
from lineagegraph.sensors.poke import poke_sensor
from lineagegraph.settings import Settings

T = TypeVar("T")


class SensorLooks:
    """Looks from one loop in a thread of its own, which starts with the first look."""

    def __init__(self, graph: Graph, settings: Settings, load: Load) -> None:
        self._graph = graph
        self._settings = settings
        self.load = load
        self._loop: asyncio.AbstractEventLoop | None = None
        self._context: PokeContext | None = None
        self._stack = AsyncExitStack()
        self._reasons: dict[str, str] = {}

    def note(self, step: Step, why: str) -> None:
        """Note why a step's run looks itself."""
        self._reasons[step.run_id] = why

    def sensor(self, step: Step) -> Sensor:
        """Return what a step waits for."""
        return sensor_of(step, self.load)

    def look(self, step: Step) -> bool:
        """Say whether it is there."""
        return self._run(self._poke(self.sensor(step)))

    def say(self, step: Step) -> str:
        """Say what is looked at."""
        return str(self.sensor(step))

    def why(self, step: Step) -> str:
        """Say why the run looks itself."""
        return self._reasons.get(step.run_id, "nobody else looks")

    async def _poke(self, sensor: Sensor) -> bool:
        if self._context is None:
            self._context = await self._stack.enter_async_context(open_context(self._settings))
        return await poke_sensor(sensor, self._context)

    def _run(self, look: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            Thread(target=self._loop.run_forever, name="looks", daemon=True).start()
        return asyncio.run_coroutine_threadsafe(look, self._loop).result()
