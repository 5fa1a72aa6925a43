"""The sensor of a step with the values of its run, and pokes by the run itself."""

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from datetime import datetime
from threading import Lock, Thread
from typing import Any, TypeVar

from lineagegraph.execution.kinds.python_work import Load
from lineagegraph.execution.outcome import Outcome
from lineagegraph.execution.parameters import fill_all
from lineagegraph.execution.plan import Step
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.waits import WaitTerms
from lineagegraph.sensing.isolated_poke import Apart
from lineagegraph.sensors import Sensor, permitted_sensor, sensor_id
from lineagegraph.sensors.answer import PokeAnswer
from lineagegraph.sensors.context import PokeContext, open_context
from lineagegraph.sensors.poke import poke_sensor
from lineagegraph.settings import Settings
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.sensors import sensors
from lineagegraph.waits.callbacks import keep_exclusive


def sensor_of(step: Step, load: Load) -> Sensor:
    """Return the sensor of a step; raise `InvalidSensor` if its values or the settings forbid it.

    `load` finds a function of the project, which goes into the sensor by value.
    """
    assert step.sensor is not None
    fields = fill_all(step.sensor.fields, step.params)
    if step.sensor.call:
        fields["function"] = load(step.sensor.call, step.path)
    return permitted_sensor(step.sensor.kind, fields, namespace=step.pipeline.namespace)


def terms_of(step: Step) -> WaitTerms:
    """Return how long and how often a step waits."""
    assert step.sensor is not None
    names = WaitTerms.__struct_fields__
    return WaitTerms(**{name: getattr(step.sensor, name) for name in names})


T = TypeVar("T")
_END_SECONDS = 3.0


class RunSensorPoker:
    """Pokes from one event loop in a thread of its own, which starts with the first poke."""

    def __init__(self, graph: Graph, settings: Settings, load: Load) -> None:
        self._graph = graph
        self._settings = settings
        self.load = load
        self._starting = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._context: PokeContext | None = None
        self._stack = AsyncExitStack()
        self._apart = Apart(settings.sensor_poke_seconds)
        self._isolated: set[str] = set()
        self._reasons: dict[str, str] = {}
        self._deadlines: dict[str, datetime] = {}

    def note(self, step: Step, reason: str, deadline: datetime | None) -> None:
        """Record why a step's run pokes itself, and the deadline of an earlier wait."""
        self._reasons[step.run_id] = reason
        # What did harm to a sensor process shall not do it to the worker.
        if self._graph.read(sensors.get_reason, id=sensor_id(self.sensor(step))):
            self._isolated.add(step.run_id)
        if deadline:
            self._deadlines[step.run_id] = deadline

    def sensor(self, step: Step) -> Sensor:
        """Return the sensor of a step."""
        return sensor_of(step, self.load)

    def poke(self, step: Step) -> bool:
        """Return whether the sensor is true."""
        sensor = self.sensor(step)
        # Those who watch it move the cursor; a wait does not.
        cursor = self._graph.read(sensors.get_cursor, id=sensor_id(sensor))
        if step.run_id in self._isolated:
            return bool(self._run(self._apart.look(sensor, cursor)))
        return bool(self._run(self._poke(sensor, cursor)))

    def describe(self, step: Step) -> str:
        """Return the sensor in words."""
        return str(self.sensor(step))

    def reason(self, step: Step) -> str:
        """Return why the run pokes it itself."""
        return self._reasons.get(step.run_id, "no sensor process is running")

    def is_late(self, step: Step) -> bool:
        """Return whether the deadline of an earlier wait is over."""
        deadline = self._deadlines.get(step.run_id)
        return deadline is not None and self._graph.read(get_time) >= deadline

    def on_ended(self, step: Step, outcome: Outcome) -> None:
        """Queue the callbacks of the wait for this outcome."""
        terms, attempt = terms_of(step), outcome.attempt or 1
        if event := _event(outcome, terms):
            self._graph.write(
                keep_exclusive,
                run_id=step.run_id,
                sensor=self.sensor(step),
                terms=terms,
                event=event,
                message=outcome.message,
                attempt=attempt + (event == "retry"),
            )

    def close(self) -> None:
        """End the pokes that still go on, and the loop."""
        if self._loop is not None:
            ending = asyncio.run_coroutine_threadsafe(self._end(), self._loop)
            # A poke that holds up the loop ends it when it returns.
            with suppress(TimeoutError):
                ending.result(_END_SECONDS)
            self._loop.call_soon_threadsafe(self._loop.stop)

    async def _end(self) -> None:
        pokes = asyncio.all_tasks() - {asyncio.current_task()}
        for poke in pokes:
            poke.cancel()
        await asyncio.gather(*pokes, return_exceptions=True)
        await self._stack.aclose()

    async def _poke(self, sensor: Sensor, cursor: str | None) -> PokeAnswer:
        if self._context is None:
            self._context = await self._stack.enter_async_context(open_context(self._settings))
        return await poke_sensor(sensor, self._context, cursor)

    def _run(self, poke: Coroutine[Any, Any, T]) -> T:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                Thread(target=_turn, args=(self._loop,), name="pokes", daemon=True).start()
        return asyncio.run_coroutine_threadsafe(poke, self._loop).result()


def _turn(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


def _event(outcome: Outcome, terms: WaitTerms) -> str | None:
    """Return the callback event of an attempt's outcome, if there is one."""
    if outcome.state is RunState.COMPLETED:
        return "success"
    if outcome.state is not RunState.FAILED:
        return None
    return "retry" if (outcome.attempt or 1) <= terms.retries else "failure"
