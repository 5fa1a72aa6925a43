"""Wait for a sensor: `wait` blocks, `wait_async` is awaited."""

import asyncio
import time
from threading import Lock
from typing import Any, NamedTuple

import structlog

from lineagegraph.authoring.sensor_handle import SensorHandle
from lineagegraph.errors import GraphBusy, GraphUnreachable, LineagegraphError, WaitFailed
from lineagegraph.execution.sensor_process import StandbySensorProcess
from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import FINAL, RunState
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.settings import load_settings
from lineagegraph.store.connect import open_graph
from lineagegraph.store.runs import launches
from lineagegraph.store.sensors import sensors
from lineagegraph.waits.standalone import start_wait

log = structlog.get_logger()
_ROUND = 0.5
_PATIENCE = 5.0


class WaitResult(NamedTuple):
    """How a wait ended: COMPLETED, or SKIPPED if it failed softly."""

    run_id: str
    state: RunState
    message: str | None

    def __bool__(self) -> bool:
        return self.state is RunState.COMPLETED

    def __repr__(self) -> str:
        said = f", {self.message}" if self.message else ""
        return f"<wait {self.run_id}: {self.state}{said}>"


async def wait_async(sensor: SensorHandle, *, name: str | None = None) -> WaitResult:
    """Wait for a sensor as `wait` does, without blocking the event loop.

    Cancelling the awaiting task ends the wait.
    """
    one, loop = _Wait(sensor, name), asyncio.get_running_loop()
    try:
        await asyncio.to_thread(one.begin)
        while (waited := await asyncio.to_thread(one.read)) is None:
            await asyncio.sleep(_ROUND)
        return waited
    finally:
        # Not as a task: the end of the event loop would cancel it before it began.
        await asyncio.shield(loop.run_in_executor(None, one.leave))


def wait(sensor: SensorHandle, *, name: str | None = None) -> WaitResult:
    """Wait for a sensor, and block the caller; an interrupt ends the wait.

    The wait is a run of a job named `name`, by default derived from the sensor. Raises `WaitFailed`
    if it fails or its timeout is over.
    """
    one = _Wait(sensor, name)
    try:
        one.begin()
        while (waited := one.read()) is None:
            time.sleep(_ROUND)
        return waited
    finally:
        one.leave()


class _Wait:
    """A run that waits; it may be left from another thread before it has begun."""

    def __init__(self, sensor: SensorHandle, name: str | None) -> None:
        self._sensor = sensor
        self._name = name
        self._run_id = new_id()
        self._settings = load_settings()
        self._turn = Lock()
        self._is_left = False
        self._graph: Graph | None = None
        self._own: StandbySensorProcess | None = None

    def begin(self) -> None:
        """Begin to wait, unless it was left before."""
        with self._turn:
            if not self._is_left:
                self._begin()

    def read(self) -> WaitResult | None:
        """Return its result; None if it has not ended, or if the graph is away."""
        with self._turn:
            try:
                return None if self._is_left else self._read()
            except (GraphUnreachable, GraphBusy):
                return None

    def leave(self) -> None:
        """End it, if it has not ended, and close the connection."""
        with self._turn:
            self._is_left = True
            if self._graph:
                self._end(self._graph)

    def _begin(self) -> None:
        self._graph = open_graph(self._settings)
        self._own = StandbySensorProcess(self._graph.with_patience(_PATIENCE), self._settings)
        self._graph.write(
            start_wait,
            sensor=self._sensor.sensor(),
            terms=self._sensor.terms,
            namespace=self._settings.namespace,
            name=self._name,
            run_id=self._run_id,
            **self._notification_terms(),
        )

    def _read(self) -> WaitResult | None:
        assert self._graph
        assert self._own
        self._own.keep()
        graph = self._graph.with_patience(_PATIENCE)
        (run,) = graph.read(launches.list_states, ids=[self._run_id])
        if run.state not in FINAL:
            return None
        kept = graph.read(sensors.get_wait, run_id=self._run_id)
        message = kept.message if kept else None
        if run.state in (RunState.COMPLETED, RunState.SKIPPED):
            return WaitResult(self._run_id, run.state, message)
        raise WaitFailed(f"{self._sensor.name}: {message or run.state} (run {self._run_id})")

    def _end(self, graph: Graph) -> None:
        try:
            graph.write(cancel_run, self._run_id, **self._notification_terms())
        except LineagegraphError as error:
            log.warning("wait_not_ended", run=self._run_id, error=str(error))
        finally:
            if self._own:
                self._own.close()
            graph.close()

    def _notification_terms(self) -> dict[str, Any]:
        """Return the notification settings of a run."""
        max_event_age = self._settings.max_event_age
        return {"max_event_age": max_event_age, "routes": self._settings.notify}
