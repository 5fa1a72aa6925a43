"""Calls the functions that waits name, in processes beside the loop, at least once each."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from datetime import timedelta
from functools import partial
from typing import Any, Protocol

import msgspec
import structlog

from lineagegraph.model.waits import WaitEvent
from lineagegraph.process_environment.handover import handing_over
from lineagegraph.process_environment.modules import module_command
from lineagegraph.sensing.repeat import survive
from lineagegraph.sensors.process_group import process_group
from lineagegraph.settings import load_settings
from lineagegraph.store.sensors.sensor_callbacks import Callback
from lineagegraph.text import format_duration

log = structlog.get_logger()
AT_ONCE = 4
_MOST_TRIES = 3
_PAUSE = timedelta(seconds=10)
_LONGEST = 300
_COMMAND = module_command("lineagegraph.sensing.call_back")


class Outbox(Protocol):
    """The store of pending calls."""

    async def claim_callbacks(self, most: int) -> list[Callback]:
        """Take calls that are due."""

    async def settle_callbacks(self, rows: list[dict[str, Any]]) -> None:
        """Note how they went."""


class Call(msgspec.Struct):
    """A call for a process: the function and its argument."""

    function: str
    about: WaitEvent


class Callbacks:
    """Make due calls; each has a time limit and three attempts."""

    def __init__(self, outbox: Outbox, seconds: float) -> None:
        self._outbox = outbox
        self._seconds = seconds
        self._calls: set[asyncio.Task[None]] = set()

    async def call_due(self) -> None:
        """Start due calls, up to the limit of calls at once."""
        free = AT_ONCE - len(self._calls)
        for one in await self._outbox.claim_callbacks(free) if free else ():
            task = asyncio.create_task(survive("callback", partial(self._call, one)))
            self._calls.add(task)
            task.add_done_callback(self._calls.discard)

    async def close(self) -> None:
        """End the calls that are under way: others make them again."""
        for task in self._calls:
            task.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)

    async def _call(self, one: Callback) -> None:
        error = await self._run(one)
        name = f"on_{one.event} {one.function}"
        said = f"{name} was called" if error is None else f"{name} failed: {error}"
        again = error is not None and one.tries < _MOST_TRIES
        if error is not None:
            log.warning("callback_failed", function=one.function, run=one.run_id, error=error)
        pause = _PAUSE * 2 ** (one.tries - 1) if again else None
        await self._outbox.settle_callbacks([{"id": one.id, "line": said, "pause": pause}])

    async def _run(self, one: Callback) -> str | None:
        """Make one call and return its error."""
        with handing_over(load_settings()) as given:
            own = process_group(
                *_COMMAND,
                stdout=DEVNULL,
                stderr=PIPE,
                env=given.environment,
                pass_fds=given.descriptors,
            )
            async with own as process:
                try:
                    async with asyncio.timeout(self._seconds):
                        _, said = await process.communicate(msgspec.json.encode(_call_of(one)))
                except TimeoutError:
                    return f"took more than {format_duration(self._seconds)}"
        return None if process.returncode == 0 else _last_line(said, process.returncode)


def _call_of(one: Callback) -> Call:
    about = WaitEvent(
        event=one.event,
        run_id=one.run_id,
        sensor_id=one.sensor_id,
        kind=one.kind,
        fields=msgspec.json.decode(one.fields),
        message=one.message,
        attempt=one.attempt,
    )
    return Call(one.function, about)


def _last_line(said: bytes, code: int | None) -> str:
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1][:_LONGEST] if lines else f"its process ended with {code}"
