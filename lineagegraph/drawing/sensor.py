"""The users of a sensor as a graph for drawing."""

from lineagegraph.drawing.batch import Picture
from lineagegraph.queries.lineage.lineage_graph import DatasetRow, FlowRow, JobRow, LineageGraph
from lineagegraph.queries.sensors import SensorDetails
from lineagegraph.store.lineage.lineage import AncestorRow
from lineagegraph.store.sensors.sensor_views import SensorRow, SensorWait, SensorWatcher


def draw_sensor(found: SensorDetails, said: str) -> Picture:
    """Return the sensor, a box for each waiting job, and one for each job started by a trigger.

    `said` is the sensor's target. Runs of one job share a box, with their number on its edge.
    """
    sensor = _sensor(found.sensor, said)
    waiting = [wait for wait in found.waits if wait.outcome is None]
    reached: list[SensorWait | SensorWatcher] = [*waiting, *found.watchers]
    jobs = {_key(one): _job(one, _key(one)) for one in reached}
    labels = {
        (sensor.key, key): _label([w for w in waiting if _key(w) == key], key, found)
        for key in jobs
    }
    edges = tuple(FlowRow(source, target) for source, target in labels)
    return Picture(LineageGraph(nodes=(sensor, *jobs.values()), edges=edges), labels)


def _sensor(row: SensorRow, said: str) -> DatasetRow:
    return DatasetRow(key=row.id, namespace=row.kind, name=said, columns=())


def _key(one: SensorWait | SensorWatcher) -> str:
    return one.job_key or (one.run_id if isinstance(one, SensorWait) else one.id)


def _job(one: SensorWait | SensorWatcher, key: str) -> JobRow:
    name = (one.job if isinstance(one, SensorWait) else one.starts) or key
    above, _, simple = name.rpartition(".")
    namespace = one.namespace or ""
    frame = AncestorRow(f"{namespace}:{above}", namespace, above, above, "pipeline")
    return JobRow(
        key=key,
        namespace=namespace,
        name=name,
        simple_name=one.simple_name or simple,
        kind="waits" if isinstance(one, SensorWait) else "trigger",
        state=None,
        ancestors=(frame,) if above else (),
    )


def _label(waits: list[SensorWait], key: str, found: SensorDetails) -> str:
    parts = [f"{len(waits)} waiting" if len(waits) > 1 else waits[0].state] if waits else []
    parts += [f"trigger {one.name or one.id}" for one in found.watchers if _key(one) == key]
    return ", ".join(parts)
