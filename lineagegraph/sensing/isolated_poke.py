"""Pokes in separate processes, for sensors that do harm in the loop or might."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec

from lineagegraph.errors import PokeCrashed, PokeFailed, PokeOverdue
from lineagegraph.model.new_items import NewItems
from lineagegraph.model.typed import decode_json
from lineagegraph.process_environment.handover import handing_over
from lineagegraph.process_environment.modules import module_command
from lineagegraph.sensors import Sensor, encode_sensor
from lineagegraph.sensors.answer import PokeAnswer
from lineagegraph.sensors.process_group import process_group
from lineagegraph.settings import load_settings
from lineagegraph.text import format_duration, signal_name

OUT_OF_MEMORY = 77
"""The exit status of a process whose poke took more memory than it may."""
_AT_ONCE = 2
_TIMES = 4
_START_SECONDS = 30.0
_COMMAND = module_command("lineagegraph.sensing.poke_once")


class PokeRequest(msgspec.Struct):
    """The sensor to poke and the time limit in seconds; `fields` and `cursor` are JSON texts."""

    kind: str
    fields: str
    seconds: float
    cursor: str | None = None


class PokeReply(msgspec.Struct):
    """The result of the poke, or its error."""

    found: bool | dict[str, Any] | None = None
    items: NewItems | None = None
    error: str | None = None
    is_overdue: bool = False


class Apart:
    """Pokes in processes, two at a time, with four times the time limit of the loop."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def look(self, sensor: Sensor, cursor: str | None = None) -> PokeAnswer:
        """Return the result of a poke."""
        seconds = (sensor.limit() or self._seconds) * _TIMES
        async with self._slots, isolated_process() as process:
            return await process.poke(sensor, seconds, cursor)


class IsolatedProcess:
    """A process that pokes one sensor after the other, each alone."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def poke(self, sensor: Sensor, seconds: float, cursor: str | None = None) -> PokeAnswer:
        """Return the result of a poke; after `PokeCrashed` the process is over.

        The process itself keeps the time, from when it begins: its start is not the sensor's.
        """
        asked = PokeRequest(sensor.kind, encode_sensor(sensor), seconds, cursor)
        try:
            async with asyncio.timeout(seconds + _START_SECONDS):
                line = await self._exchange(msgspec.json.encode(asked) + b"\n")
        except TimeoutError:
            raise _overdue(seconds) from None
        if not line:
            raise _ended(await self._process.wait(), seconds)
        reply = decode_json(line, into=PokeReply)
        if reply.is_overdue:
            raise _overdue(seconds)
        if reply.items is not None:
            return reply.items
        if reply.found is None:
            raise PokeFailed(reply.error or "the process of the poke gave no answer")
        return reply.found

    @property
    def is_running(self) -> bool:
        """Whether it can poke more."""
        return self._process.returncode is None

    async def _exchange(self, line: bytes) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError, ConnectionResetError):
            self._process.stdin.write(line)
            await self._process.stdin.drain()
        return await self._process.stdout.readline()


@asynccontextmanager
async def isolated_process() -> AsyncIterator[IsolatedProcess]:
    """Start a process for pokes, and kill it with all that it started."""
    with handing_over(load_settings()) as given:
        own = process_group(*_COMMAND, env=given.environment, pass_fds=given.descriptors)
        async with own as process:
            yield IsolatedProcess(process)


def _overdue(seconds: float) -> PokeOverdue:
    return PokeOverdue(f"no answer within {format_duration(seconds)}")


def _ended(code: int, seconds: float) -> PokeFailed:
    if code == -signal.SIGALRM:
        return _overdue(seconds)
    if code == OUT_OF_MEMORY:
        most = load_settings().sensor_memory_bytes
        return PokeCrashed(f"the poke took more than {most} bytes of memory")
    how = f"by {signal_name(-code)}" if code < 0 else f"with status {code}"
    return PokeCrashed(f"the poke ended its process {how}")
