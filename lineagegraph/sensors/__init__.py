"""Sensors: kinds of things that are poked until they are there.

A kind is a class with typed poke fields. Other rooms decide when a sensor is poked and for which
run; nothing here knows the graph.
"""

from lineagegraph.sensors.context import PokeContext, open_context
from lineagegraph.sensors.identity import decode_sensor, encode_sensor, sensor_id, shard_of
from lineagegraph.sensors.make import make_sensor
from lineagegraph.sensors.permitted import confined_fields, permitted_sensor
from lineagegraph.sensors.poke import poke_sensor
from lineagegraph.sensors.policy import SensorPolicy
from lineagegraph.sensors.registry import known_kinds
from lineagegraph.sensors.sensor import Sensor

__all__ = [
    "PokeContext",
    "Sensor",
    "SensorPolicy",
    "confined_fields",
    "decode_sensor",
    "encode_sensor",
    "known_kinds",
    "make_sensor",
    "open_context",
    "permitted_sensor",
    "poke_sensor",
    "sensor_id",
    "shard_of",
]
