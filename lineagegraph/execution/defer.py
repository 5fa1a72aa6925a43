"""Wait for a sensor inside a task, without a process."""

from typing import Protocol

from lineagegraph.errors import RunError
from lineagegraph.execution.deferrals import current_deferrals
from lineagegraph.model.runs.deferral import Deferral, DeferralAnswer
from lineagegraph.model.waits import WaitTerms
from lineagegraph.sensors import Sensor, encode_sensor, sensor_id


class StatedSensor(Protocol):
    """What `lg.sensor` returns: a sensor, and the terms of a wait for it."""

    @property
    def terms(self) -> WaitTerms:
        """How long and how often it is poked."""

    def sensor(self, namespace: str) -> Sensor:
        """Return the sensor to poke; `namespace` is that of names without one."""


def defer(sensor: StatedSensor) -> DeferralAnswer:
    """Let the running task wait for a sensor, as `lg.sensor` states it, and return its answer.

    The task's process ends here. Once the sensor is true the task is called again, from its
    beginning, and this call returns the answer: code before it runs again, so it must have no
    effects that may not be repeated, and must call `defer` for the same sensors in the same order.
    A timeout fails the task; with `soft_fail` the answer is false.
    """
    terms = getattr(sensor, "terms", None)
    if not isinstance(terms, WaitTerms):
        raise RunError(f"defer() needs the result of lg.sensor(…), not {sensor!r}"[:300])
    deferrals = current_deferrals()
    stated = sensor.sensor(deferrals.namespace)
    return deferrals.answer(
        Deferral(
            asked=sensor_id(stated),
            kind=stated.kind,
            fields=encode_sensor(stated),
            text=str(stated),
            terms=terms,
        )
    )
