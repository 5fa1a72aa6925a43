"""Waits on their own, asked for over HTTP, by a notebook or a command: each is a run."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from lineagegraph.errors import InvalidSensor
from lineagegraph.graph import Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.waits import WaitTerms
from lineagegraph.reactions.commit import commit
from lineagegraph.sensors import Sensor, sensor_id
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.runs import launches
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensors import SensorWaitRow
from lineagegraph.triggers.react import MAX_EVENT_AGE
from lineagegraph.waits.begin import begin_wait
from lineagegraph.waits.end_events import waiting_event


class Alone(msgspec.Struct, frozen=True):
    """A run that waits on its own."""

    run_id: str
    namespace: str
    name: str
    wait: SensorWaitRow


def start_wait(
    tx: Transaction,
    *,
    sensor: Sensor,
    terms: WaitTerms,
    namespace: str = "default",
    name: str | None = None,
    run_id: str | None = None,
    max_event_age: timedelta = MAX_EVENT_AGE,
    routes: Sequence[Route] = (),
    now: datetime | None = None,
) -> Alone:
    """Create a standalone wait: a run without a worker that ends with the wait.

    The same `run_id` gives the same wait. Raises `InvalidSensor` if a run of that id is another
    kind of run.
    """
    at = now or get_time(tx)
    id_ = run_id or new_id()
    job = name or f"sensors.{sensor.kind}.{sensor_id(sensor.begun(at))[:8]}"
    wait = sensors.get_wait(tx, run_id=id_)
    if wait is None:
        if launches.list_states(tx, ids=[id_]):
            raise InvalidSensor(f"run {id_} is not a standalone wait: choose another id")
        event = waiting_event(id_, namespace, job, at.isoformat(), f"waits for {sensor}")
        commit(tx, extract([event]), max_event_age=max_event_age, routes=routes, now=now)
        launches.set_sensing(tx, id=id_, now=now)
        begun = begin_wait(tx, run_id=id_, root_id=id_, sensor=sensor, terms=terms, now=now)
        assert begun is not None
        assert begun.wait is not None
        audit(tx, "wait.start", id_, name=job, after={"kind": sensor.kind, "terms": terms})
        wait = begun.wait
    return Alone(id_, namespace, job, wait)
