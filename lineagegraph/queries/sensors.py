"""Sensors, the runs that wait for them, and why they still wait."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from lineagegraph.errors import Ambiguous, NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.arrivals import Arrivals, read_arrivals
from lineagegraph.queries.find.find import find_run
from lineagegraph.sensors import decode_sensor
from lineagegraph.settings import load_settings
from lineagegraph.store.sensors import sensor_views
from lineagegraph.store.sensors.sensor_views import Holder, SensorRow, SensorWait, SensorWatcher

MOST_WAITS = 1_000


class SensorDetails(msgspec.Struct, frozen=True):
    """A sensor, the holder of its shard, and the runs and triggers that use it."""

    sensor: SensorRow
    holder: Holder | None
    waits: list[SensorWait]
    watchers: list[SensorWatcher]


class WhyWaits(msgspec.Struct, frozen=True):
    """One wait of a run, with its sensor and the process that pokes it."""

    wait: SensorWait
    sensor: SensorRow
    holder: Holder | None
    arrivals: Arrivals | None = None


def read_sensors(
    graph: Graph, kind: str | None = None, *, limit: int = 1_000, offset: int = 0
) -> list[SensorRow]:
    """Return the sensors, those with the most waits first."""
    return graph.read(sensor_views.list_sensors, kind=kind, offset=offset, limit=limit)


def read_sensor(graph: Graph, sensor: str, limit: int = MOST_WAITS) -> SensorDetails:
    """Return the sensor with that id or a unique prefix of an id."""

    def work(tx: Transaction) -> SensorDetails:
        found = _find(tx, sensor)
        return SensorDetails(
            sensor=found,
            holder=sensor_views.get_holder(tx, shard=found.shard, now=None),
            waits=sensor_views.list_waits(tx, id=found.id, limit=limit),
            watchers=sensor_views.list_watchers(tx, id=found.id),
        )

    return graph.read(work)


def read_waits_of(
    graph: Graph, run: str, limit: int = MOST_WAITS, *, arrivals: bool = False
) -> list[WhyWaits]:
    """Return the waits of a run and its children, and why they still wait.

    With `arrivals` also when their targets came on past days.
    """
    run_id = find_run(graph, run).id
    zone = ZoneInfo(load_settings().zone)

    def work(tx: Transaction) -> list[WhyWaits]:
        waits = sensor_views.list_waits_of(tx, run_ids=[run_id], limit=limit)
        sensors = {id_: _find(tx, id_) for id_ in {wait.sensor_id for wait in waits}}
        shards = {one.shard for one in sensors.values()}
        holders = {n: sensor_views.get_holder(tx, shard=n, now=None) for n in shards}
        return [
            WhyWaits(
                wait,
                found,
                holders[found.shard],
                read_arrivals(tx, wait, zone) if arrivals else None,
            )
            for wait in waits
            for found in [sensors[wait.sensor_id]]
        ]

    return graph.read(work)


def _find(tx: Transaction, sensor: str) -> SensorRow:
    found = sensor_views.list_starting(tx, prefix=sensor.lower()) if sensor else []
    if len(found) > 1 and found[0].id != sensor.lower():
        listed = ", ".join(one.id for one in found)
        raise Ambiguous(f"several sensors start with {sensor!r} ({listed}): give more of the id")
    if not found:
        raise NotFound(f"no sensor {sensor!r}: `lineagegraph sensor list` lists them")
    return found[0]


def describe_sensor(row: SensorRow) -> str:
    """Return a sensor's target as text; as written if its kind cannot be described here."""
    try:
        return str(decode_sensor(row.kind, row.fields))
    except Exception:
        # It is not installed, or one of somebody's own that fails.
        return f"{row.kind} {row.fields}"


def next_poke(row: SensorRow) -> datetime | None:
    """Return the time by which a sensor is poked again, None if it is not known."""
    if row.poked_at is None or row.interval is None or row.errors:
        return None
    return row.poked_at + timedelta(seconds=row.interval)
