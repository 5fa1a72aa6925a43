"""A sensor that a trigger watches."""

import msgspec

from lineagegraph.definitions.origin import Origin
from lineagegraph.definitions.sensor_handle import SensorHandle
from lineagegraph.errors import DefinitionError, InvalidSensor
from lineagegraph.model.condition import OnSensor


def watched(handle: SensorHandle, poke_interval: float, origin: Origin) -> OnSensor:
    """Return the leaf of a trigger for a sensor; a function goes into it by value."""
    from lineagegraph.sensors import encode_sensor

    try:
        sensor = handle.sensor()
    except InvalidSensor as error:
        raise DefinitionError(f"{origin}: {error}") from None
    fields = dict(handle.fields)
    if handle.function:
        fields = msgspec.json.decode(encode_sensor(sensor))
    return OnSensor(kind=handle.kind, fields=fields, poke_interval=poke_interval)
