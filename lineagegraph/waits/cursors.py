"""Cursors of sensors that a person sets, with an entry of the audit log."""

from functools import partial

import msgspec

from lineagegraph.errors import InvalidSensor
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.new_items import encode_cursor
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensor_views import SensorRow


def set_cursor_by_hand(graph: Graph, sensor: SensorRow, text: str | None) -> None:
    """Let the next poke of a sensor begin with a cursor that is JSON text, or without one.

    Raises `InvalidSensor` for other texts. Answers to pokes of before do not count any more. An
    equal cursor changes nothing, so that a request may be repeated.
    """
    cursor = None if text is None else _checked(text)
    if cursor != sensor.cursor:
        graph.write(partial(_set, sensor=sensor, cursor=cursor))


def _set(tx: Transaction, *, sensor: SensorRow, cursor: str | None) -> None:
    sensors.set_cursor(tx, id=sensor.id, cursor=cursor, now=None)
    before, after = ({"cursor": one} for one in (sensor.cursor, cursor))
    audit(tx, "sensor.cursor", sensor.id, before=before, after=after)


def _checked(text: str) -> str:
    try:
        return encode_cursor(msgspec.json.decode(text))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise InvalidSensor(
            f"cursor {text[:60]!r} is not usable: {error}; write JSON, such as '\"2026-01-01\"'"
        ) from None
