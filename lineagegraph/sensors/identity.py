"""Which sensors are one, and how one is written."""

from __future__ import annotations

from typing import Any

import msgspec

from lineagegraph.errors import InvalidSensor
from lineagegraph.model.names.keys import canonical_hash, canonical_json
from lineagegraph.sensors.make import make_sensor, of_kind
from lineagegraph.sensors.sensor import Sensor

_DIGITS = 32


def sensor_id(sensor: Sensor) -> str:
    """Return the hash of kind and poke fields: the same on every machine."""
    checked = _checked(sensor)
    return canonical_hash([checked.kind, checked.identity()])[:_DIGITS]


def shard_of(id_: str, shards: int) -> int:
    """Return the shard that a sensor is of, among so many."""
    return int(id_, 16) % shards


def encode_sensor(sensor: Sensor) -> str:
    """Return the poke fields as JSON in its one spelling."""
    return canonical_json(msgspec.to_builtins(_checked(sensor)))


def decode_sensor(kind: str, text: str) -> Sensor:
    """Return the encoded sensor; raise `InvalidSensor` if it is not valid."""
    try:
        fields: Any = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise InvalidSensor(f"sensor of kind {kind}: its fields are not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise InvalidSensor(f"sensor of kind {kind}: its fields must be a map of names to values")
    return make_sensor(kind, fields)


def _checked(sensor: Sensor) -> Sensor:
    fields = {name: getattr(sensor, name) for name in sensor.__struct_fields__}
    return of_kind(type(sensor), {name: one for name, one in fields.items() if one is not None})
