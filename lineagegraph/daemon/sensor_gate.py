"""The side of a run's gate that is about sensors: waits in the graph, or looks of its own."""

from collections.abc import Iterable

from lineagegraph.daemon.nudge import ALIVE
from lineagegraph.daemon.sensor_looks import SensorLooks
from lineagegraph.daemon.sensor_steps import terms_of
from lineagegraph.errors import InvalidSensor
from lineagegraph.execution.plan import Step
from lineagegraph.graph import Graph
from lineagegraph.model.entry import End, Entry, Start, Waits
from lineagegraph.model.states import RunState
from lineagegraph.scheduling.sensors import begin_wait, end_waits
from lineagegraph.sensors import Sensor, sensor_id
from lineagegraph.settings import Settings
from lineagegraph.store import processes, sensors
from lineagegraph.store.sensors import WaitRow

WAITS = "WAITS_FOR_SENSOR"
_STATES = {
    "success": RunState.COMPLETED,
    "failed": RunState.FAILED,
    "skipped": RunState.SKIPPED,
    "cancelled": RunState.KILLED,
}
_REASONS = {
    "success": "SENSOR",
    "failed": "TIMEOUT",
    "skipped": "SOFT_FAIL",
    "cancelled": "CANCELLED",
}


class SensorGate:
    """Lets sensors of a run in: each waits until it is settled, or is looked at by the run."""

    def __init__(self, graph: Graph, settings: Settings, run_id: str, looks: SensorLooks) -> None:
        self._graph = graph
        self._settings = settings
        self._run_id = run_id
        self._looks = looks

    def enter(self, step: Step) -> Entry:
        """Say what a sensor's step does now."""
        try:
            sensor = self._looks.sensor(step)
        except InvalidSensor as error:
            return End(RunState.FAILED, "INVALID_SENSOR", str(error))
        wait = self._graph.read(sensors.get_wait, run_id=step.run_id)
        if wait and wait.outcome in _STATES:
            return _end(wait, wait.outcome, sensor)
        if why := self._why_alone(step, sensor, wait):
            self._graph.write(end_waits, [step.run_id])
            self._looks.note(step, why)
            return Start(0)
        return Waits(WAITS, f"waits for {sensor}", ())

    def keep(self, step: Step) -> bool:
        """Keep what a step waits for; False where the graph does not know its run yet."""
        found = self._graph.write(
            begin_wait,
            run_id=step.run_id,
            root_id=self._run_id,
            sensor=self._looks.sensor(step),
            terms=terms_of(step),
        )
        return found is not None and found.exclusive_reason is None

    def settled(self, run_ids: Iterable[str]) -> set[str]:
        """Return those runs of steps whose wait is over."""
        found = self._graph.read(sensors.list_settled, ids=sorted(run_ids))
        return {row.run_id for row in found}

    def _why_alone(self, step: Step, sensor: Sensor, wait: WaitRow | None) -> str | None:
        if terms_of(step).mode == "exclusive":
            return "the task is marked exclusive"
        if not sensor.shared:
            return f"kind {sensor.kind} is not shared"
        if wait and wait.outcome == "exclusive":
            return wait.message
        if not self._settings.smart_sensors:
            return "smart sensors are turned off"
        if reason := self._graph.read(sensors.get_reason, id=sensor_id(sensor)):
            return str(reason)
        return None if self._is_looked_at() else "no sensor process lives"

    def _is_looked_at(self) -> bool:
        kinds = ["sensing", *(["daemon"] if self._settings.sensor_processes else [])]
        return any(
            self._graph.read(processes.list_live, kind=kind, within=ALIVE, now=None)
            for kind in kinds
        )


def _end(wait: WaitRow, outcome: str, sensor: Sensor) -> End:
    return End(_STATES[outcome], _REASONS[outcome], wait.message or str(sensor))
