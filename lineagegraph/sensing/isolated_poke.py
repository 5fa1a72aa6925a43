"""A look in a process of its own, for a sensor that broke the limits of the loop."""

import asyncio
import sys

import msgspec

from lineagegraph.errors import PokeFailed, PokeOverdue
from lineagegraph.model.durations import say_seconds
from lineagegraph.model.typed import decode_json
from lineagegraph.sensors import Sensor, encode_sensor
from lineagegraph.sensors.process_group import process_group

_AT_ONCE = 2
_TIMES = 4
_COMMAND = (sys.executable, "-m", "lineagegraph.sensing.poke_once")


class Asked(msgspec.Struct):
    """What a process is to look at, and how long that may take; `fields` is JSON text."""

    kind: str
    fields: str
    seconds: float


class Told(msgspec.Struct):
    """What it found, or why it found nothing."""

    found: bool | None = None
    error: str | None = None


class Apart:
    """Looks in processes, two at a time; a look may take four times as long as in the loop."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def look(self, sensor: Sensor) -> bool:
        """Return what a look tells."""
        seconds = (sensor.limit() or self._seconds) * _TIMES
        async with self._slots:
            told = await _ask(Asked(sensor.kind, encode_sensor(sensor), seconds))
        if told.found is None:
            raise PokeFailed(told.error or "the process that looked said nothing")
        return told.found


async def _ask(asked: Asked) -> Told:
    async with process_group(*_COMMAND) as process:
        try:
            async with asyncio.timeout(asked.seconds):
                said, _ = await process.communicate(msgspec.json.encode(asked))
            return decode_json(said, into=Told)
        except TimeoutError:
            raise PokeOverdue(f"no answer within {say_seconds(asked.seconds)}") from None
        except msgspec.DecodeError:
            said_of = f"the process that looked ended with {process.returncode}"
            raise PokeFailed(said_of) from None
