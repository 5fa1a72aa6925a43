"""A sensor as its node."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_json, dataset_key
from lineagegraph.sensors import Sensor, decode_sensor, encode_sensor, sensor_id, shard_of
from lineagegraph.settings import load_settings
from lineagegraph.store.sensors import sensors


class StoredSensor(msgspec.Struct, frozen=True):
    """A sensor in the graph; with a reason if each wait pokes it itself."""

    id: str
    exclusive_reason: str | None


def keep_sensor(tx: Transaction, sensor: Sensor, now: datetime | None) -> StoredSensor:
    """Make sure that the graph has a sensor, and hold it until the end of the transaction."""
    id_, text = sensor_id(sensor), encode_sensor(sensor)
    known = sensors.merge_sensor(
        tx,
        id=id_,
        kind=sensor.kind,
        fields=text,
        shard=shard_of(id_, load_settings().sensor_shards),
        subject=_subject(decode_sensor(sensor.kind, text)) if sensor.from_graph else {},
        from_graph=sensor.from_graph,
        code_only=sensor.code_only,
        now=now,
    )
    return StoredSensor(id_, known.exclusive_reason)


def _subject(sensor: Sensor) -> dict[str, Any]:
    """Return the node properties that the queries of a kind use."""
    said = {name: getattr(sensor, name) for name in sensor.__struct_fields__}
    partition = said.get("partition")
    return {
        "from_begin": said.get("since") == "begin",
        "partition_key": canonical_json(partition) if partition else None,
        "dataset_key": dataset_key(said["namespace"], said["name"]) if "name" in said else None,
        "job_namespace": said.get("namespace"),
        "job_fqn": said.get("job"),
        "run_id": said.get("run_id"),
        "statuses": [str(status) for status in said.get("statuses", ())] or None,
        "due_at": said.get("at"),
    }
