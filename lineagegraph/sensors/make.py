"""From a kind's name and fields to a sensor."""

from collections.abc import Mapping
from typing import Any

import msgspec

from lineagegraph.errors import InvalidSensor
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.typed import convert_value, refuse_nan
from lineagegraph.sensors.registry import find_kind
from lineagegraph.sensors.secrets import check_no_secrets
from lineagegraph.sensors.sensor import Sensor
from lineagegraph.sensors.texts import one_line
from lineagegraph.settings import load_settings

MOST_BYTES = 256 * 1024


def make_sensor(kind: str, fields: Mapping[str, Any], *, namespace: str | None = None) -> Sensor:
    """Return the sensor of a kind with these fields; raise `InvalidSensor` if they are invalid.

    A missing namespace is the one given here, or the installation's.
    """
    return of_kind(find_kind(kind), fields, namespace)


def of_kind(cls: type[Sensor], fields: Mapping[str, Any], namespace: str | None = None) -> Sensor:
    """Return the sensor with these fields, in its one spelling."""
    said = _plain(cls, cls.stated(fields))
    _check_names(cls, said)
    check_no_secrets(cls.kind, said)
    try:
        sensor = convert_value(said, cls).placed(namespace or load_settings().namespace)
        sensor = sensor.checked()
    except (msgspec.ValidationError, ValueError, TypeError) as error:
        raise InvalidSensor(f"sensor of kind {cls.kind}: {one_line(error)}") from None
    _check_size(sensor)
    return sensor


def _plain(cls: type[Sensor], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields as JSON values; other values are no fields of a sensor."""
    try:
        text = _json(dict(fields))
        plain: dict[str, Any] = msgspec.json.decode(text)
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise InvalidSensor(
            f"sensor of kind {cls.kind}: {_unserialisable(fields)} cannot be written as JSON "
            f"({one_line(error)}): use texts, numbers, lists and maps"
        ) from None
    return plain


def _json(value: Any) -> str:
    text = canonical_json(value)
    refuse_nan(value)  # a function would get None
    return text


def _unserialisable(fields: Mapping[str, Any]) -> str:
    for name, value in fields.items():
        try:
            _json(value)
        except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
            return f"field {name}"
    return "a field's name"


def _check_names(cls: type[Sensor], fields: Mapping[str, Any]) -> None:
    known = cls.__struct_fields__
    for name in fields:
        if name not in known:
            near = did_you_mean(name, known)
            raise InvalidSensor(f"sensor of kind {cls.kind}: it has no field {name}{near}")


def _check_size(sensor: Sensor) -> None:
    size = len(msgspec.json.encode(sensor))
    if size > MOST_BYTES:
        raise InvalidSensor(
            f"sensor of kind {sensor.kind}: its fields have {size:,} bytes, at most "
            f"{MOST_BYTES:,} are kept"
        )
