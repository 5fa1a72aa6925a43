"""A poke in a separate process, for a sensor that exceeded the limits of the loop."""

import asyncio
import sys

import msgspec

from lineagegraph.errors import PokeFailed, PokeOverdue
from lineagegraph.model.typed import decode_json
from lineagegraph.process_environment.handover import handing_over
from lineagegraph.sensors import Sensor, encode_sensor
from lineagegraph.sensors.process_group import process_group
from lineagegraph.settings import load_settings
from lineagegraph.text import format_duration

_AT_ONCE = 2
_TIMES = 4
_COMMAND = (sys.executable, "-m", "lineagegraph.sensing.poke_once")


class PokeRequest(msgspec.Struct):
    """The sensor to poke and the time limit in seconds; `fields` is JSON text."""

    kind: str
    fields: str
    seconds: float


class PokeReply(msgspec.Struct):
    """The result of the poke, or its error."""

    found: bool | None = None
    error: str | None = None


class Apart:
    """Pokes in processes, two at a time, with four times the time limit of the loop."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def look(self, sensor: Sensor) -> bool:
        """Return the result of a poke."""
        seconds = (sensor.limit() or self._seconds) * _TIMES
        async with self._slots:
            reply = await _ask(PokeRequest(sensor.kind, encode_sensor(sensor), seconds))
        if reply.found is None:
            raise PokeFailed(reply.error or "the process of the poke gave no answer")
        return reply.found


async def _ask(asked: PokeRequest) -> PokeReply:
    with handing_over(load_settings()) as given:
        own = process_group(*_COMMAND, env=given.environment, pass_fds=given.descriptors)
        async with own as process:
            try:
                async with asyncio.timeout(asked.seconds):
                    output, _ = await process.communicate(msgspec.json.encode(asked))
                return decode_json(output, into=PokeReply)
            except TimeoutError:
                raise PokeOverdue(f"no answer within {format_duration(asked.seconds)}") from None
            except msgspec.DecodeError:
                said_of = f"the process of the poke ended with {process.returncode}"
                raise PokeFailed(said_of) from None
