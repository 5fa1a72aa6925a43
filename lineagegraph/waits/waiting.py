"""Waits: awaited while its event loop goes on, or blocking."""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import NamedTuple, Self

from lineagegraph.definitions.sensor_handle import SensorHandle
from lineagegraph.errors import LineagegraphError, WaitFailed
from lineagegraph.execution.sensor_process import looking
from lineagegraph.graph import Graph
from lineagegraph.model.states import FINAL, RunState
from lineagegraph.scheduling.sensors import cancel_run, start_wait
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store import launches, sensors
from lineagegraph.store.connect import open_graph

_ROUND = 0.5


class Waited(NamedTuple):
    """How a wait came out: COMPLETED, or SKIPPED where it failed softly."""

    run_id: str
    state: RunState
    message: str | None

    def __bool__(self) -> bool:
        return self.state is RunState.COMPLETED


async def wait(sensor: SensorHandle, *, name: str | None = None) -> Waited:
    """Wait for a sensor, and let the event loop go on meanwhile.

    The wait is a run of a job `name`, which is made of the sensor where none is given. Raises
    `WaitFailed` where its time is over; to cancel the awaiting task ends the wait.
    """
    begun = await asyncio.to_thread(_Wait.begin, sensor, name)
    try:
        while (waited := await asyncio.to_thread(begun.read)) is None:
            await asyncio.sleep(_ROUND)
        return waited
    finally:
        await asyncio.shield(asyncio.to_thread(begun.leave))


def wait_for(sensor: SensorHandle, *, name: str | None = None) -> Waited:
    """Wait for a sensor as `wait` does, and hold the caller up; an interrupt ends the wait."""
    begun = _Wait.begin(sensor, name)
    try:
        while (waited := begun.read()) is None:
            time.sleep(_ROUND)
        return waited
    finally:
        begun.leave()


class _Wait:
    """A run that waits."""

    def __init__(self, graph: Graph, settings: Settings, sensor: SensorHandle) -> None:
        self._graph = graph
        self._settings = settings
        self._sensor = sensor
        self._run_id = ""
        self._looking = contextlib.ExitStack()

    @classmethod
    def begin(cls, sensor: SensorHandle, name: str | None) -> Self:
        """Begin to wait."""
        settings = load_settings()
        graph = open_graph(settings)
        made = cls(graph, settings, sensor)
        with made._closing_on_error():
            made._start(name)
        return made

    def read(self) -> Waited | None:
        """Return how it came out, once it has; raise `WaitFailed` where it failed."""
        (run,) = self._graph.read(launches.list_states, ids=[self._run_id])
        if run.state not in FINAL:
            return None
        kept = self._graph.read(sensors.get_wait, run_id=self._run_id)
        message = kept.message if kept else None
        if run.state in (RunState.COMPLETED, RunState.SKIPPED):
            return Waited(self._run_id, run.state, message)
        raise WaitFailed(f"{self._sensor.name}: {message or run.state} (run {self._run_id})")

    def leave(self) -> None:
        """End it, if it has not ended, and close the connection."""
        try:
            with suppress(LineagegraphError):
                self._graph.write(cancel_run, self._run_id)
        finally:
            self._looking.close()
            self._graph.close()

    def _start(self, name: str | None) -> None:
        begun = self._graph.write(
            start_wait,
            sensor=self._sensor.sensor(),
            terms=self._sensor.terms,
            namespace=self._settings.namespace,
            name=name,
            news=timedelta(seconds=self._settings.news_seconds),
            routes=self._settings.notify,
        )
        self._run_id = begun.run_id
        self._looking.enter_context(looking(self._graph, self._settings))

    @contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._graph.close()
            raise
