"""One poke, with a time limit."""

import asyncio
from dataclasses import replace
from typing import Any

import msgspec

from lineagegraph.errors import LineagegraphError, PokeFailed, PokeOverdue
from lineagegraph.model.new_items import NewItems
from lineagegraph.sensors.answer import PokeAnswer, encode_value
from lineagegraph.sensors.context import PokeContext
from lineagegraph.sensors.registry import check_confined_kind
from lineagegraph.sensors.sensor import Sensor
from lineagegraph.sensors.texts import one_line
from lineagegraph.text import format_duration

_LONGEST = 500


async def poke_sensor(
    sensor: Sensor, context: PokeContext, cursor: str | None = None
) -> PokeAnswer:
    """Return the result of a poke; raise `PokeFailed` if it has none within its time limit.

    `cursor` is the JSON text of the cursor that the sensor's last new items left.
    """
    context = context.for_sensor(sensor.confined)
    if cursor is not None:
        context = replace(context, cursor=msgspec.json.decode(cursor))
    seconds = context.limit(sensor.limit())
    try:
        if sensor.confined:
            check_confined_kind(sensor.kind)
        if not sensor.blocking:  # it permits itself where it may block
            sensor.permit(context.policy)
        async with asyncio.timeout(seconds) as limit:
            found: Any = await sensor.poke(context)
    except TimeoutError as error:
        if limit.expired():
            raise PokeOverdue(f"no answer within {format_duration(seconds)}") from None
        raise PokeFailed(_said(error)) from None
    except PokeFailed as error:
        raise type(error)(context.mask(str(error))) from None
    except LineagegraphError as error:
        raise PokeFailed(context.mask(str(error))) from None
    except Exception as error:
        raise PokeFailed(context.mask(_said(error))) from error
    return _checked(found, sensor.kind)


def _checked(found: Any, kind: str) -> PokeAnswer:
    if found is None:
        raise PokeFailed(
            f"the poke of a sensor of kind {kind} returned None: it must return True or False"
        )
    if isinstance(found, NewItems):
        return found
    if isinstance(found, dict):
        encode_value(found)
        return found
    return bool(found)


def _said(error: Exception) -> str:
    name, said = type(error).__name__, one_line(error)
    return name if said == name else f"{name}: {said}"[:_LONGEST]
