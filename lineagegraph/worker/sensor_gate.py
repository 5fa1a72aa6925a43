"""The gate for sensors of a run: a shared wait in the graph, or pokes of its own."""

from collections.abc import Iterable

from lineagegraph.errors import InvalidSensor
from lineagegraph.execution.outcome import EndReason
from lineagegraph.execution.plan import Step
from lineagegraph.execution.sensor_process import StandbySensorProcess
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.entry import End, Entry, Start, Waits
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.waits import EXCLUSIVE
from lineagegraph.sensors import Sensor, sensor_id
from lineagegraph.sensors.end_waits import end_waits
from lineagegraph.settings import Settings
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensors import SensorWaitRow
from lineagegraph.waits.begin import begin_wait
from lineagegraph.worker.sensor_pokes import RunSensorPoker, terms_of

WAITS = "WAITS_FOR_SENSOR"
_STATES = {
    "success": RunState.COMPLETED,
    "failed": RunState.FAILED,
    "skipped": RunState.SKIPPED,
    "cancelled": RunState.KILLED,
}
_REASONS = {
    "success": "SENSOR",
    "failed": "SENSOR_FAILED",
    "skipped": "SOFT_FAIL",
    "cancelled": "CANCELLED",
}


class SensorGate:
    """Admits sensors of a run: each waits in the graph, or is poked by the run itself."""

    def __init__(
        self,
        graph: Graph,
        settings: Settings,
        run_id: str,
        poker: RunSensorPoker,
        standby: StandbySensorProcess,
    ) -> None:
        self._graph = graph
        self._settings = settings
        self._run_id = run_id
        self._poker = poker
        self._standby = standby
        self._kept: set[str] = set()

    def enter(self, step: Step) -> Entry:
        """Decide on a sensor's step."""
        try:
            sensor = self._poker.sensor(step)
        except InvalidSensor as error:
            return End(RunState.FAILED, "INVALID_SENSOR", str(error))
        wait = self._graph.read(sensors.get_wait, run_id=step.run_id)
        if wait and wait.outcome in _STATES:
            return _end(wait, wait.outcome, sensor)
        if why := self._why_exclusive(step, sensor, wait):
            self._graph.write(end_waits, [step.run_id], why=why)
            self._poker.note(step, why, wait.deadline if wait else None)
            return Start(0)
        return Waits(WAITS, f"waits for {sensor}", ())

    def keep(self, step: Step) -> bool:
        """Record the wait of a step; False if its run is not in the graph yet."""
        found = self._graph.write(
            begin_wait,
            run_id=step.run_id,
            root_id=self._run_id,
            sensor=self._poker.sensor(step),
            terms=terms_of(step),
        )
        self._kept.add(step.run_id)
        self._standby.keep()
        return found is not None and found.exclusive_reason is None

    def list_settled(self, run_ids: Iterable[str]) -> set[str]:
        """Return the runs of steps whose wait is over; a sensor process is kept for the others."""
        waiting = self._kept & set(run_ids)
        if not waiting:
            return set()
        self._standby.keep()
        found = self._graph.read(sensors.list_settled, ids=sorted(waiting))
        return {row.run_id for row in found}

    def _why_exclusive(self, step: Step, sensor: Sensor, wait: SensorWaitRow | None) -> str | None:
        if sensor.from_graph:
            return None
        if terms_of(step).mode == EXCLUSIVE:
            return "the task is marked exclusive"
        if not sensor.shared:
            return f"kind {sensor.kind} is not shared"
        if wait and wait.outcome == "exclusive":
            return wait.message
        if not self._settings.smart_sensors:
            return "smart sensors are turned off"
        if reason := self._graph.read(sensors.get_reason, id=sensor_id(sensor)):
            return str(reason)
        return None


def _end(wait: SensorWaitRow, outcome: str, sensor: Sensor) -> End:
    late = outcome == "failed" and wait.is_late
    reason = EndReason.TIMEOUT if late else _REASONS[outcome]
    return End(_STATES[outcome], reason, wait.message or str(sensor))
