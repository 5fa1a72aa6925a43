"""One call of a function in a process of its own."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from lineagegraph.errors import PokeFailed
from lineagegraph.model.new_items import NewItems
from lineagegraph.process_environment.handover import task_environment
from lineagegraph.process_environment.task_processes import own_mark
from lineagegraph.sensors.answer import PokeAnswer
from lineagegraph.sensors.process_group import process_group
from lineagegraph.settings import load_settings
from lineagegraph.text import signal_name

CHILD = Path(__file__).with_name("child.py")
_GRACE_SECONDS = 5


class FunctionCall(msgspec.Struct, frozen=True, kw_only=True):
    """A function by name, or pickled if it has none, with limits of time and memory."""

    function: str
    pickle: str | None
    arguments: dict[str, Any]
    cursor: Any
    seconds: float
    memory_bytes: int


async def call(what: FunctionCall) -> PokeAnswer | None:
    """Return the answer of a function; raise `PokeFailed` if it raised or its process ended."""
    command = (sys.executable, "-P", str(CHILD))
    environment = task_environment(load_settings()) | own_mark()
    own = process_group(*command, stderr=asyncio.subprocess.DEVNULL, env=environment)
    async with own as process:
        return _said(await _exchange(process, what), process)


async def _exchange(process: asyncio.subprocess.Process, what: FunctionCall) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    longest = msgspec.structs.replace(what, seconds=what.seconds + _GRACE_SECONDS)
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(msgspec.json.encode(longest))
        await process.stdin.drain()
    process.stdin.close()
    line = await process.stdout.readline()
    if not line:
        await process.wait()
    return line


def _said(line: bytes, process: asyncio.subprocess.Process) -> PokeAnswer | None:
    if not line:
        raise PokeFailed(f"its process ended {_how(process.returncode)} without an answer")
    answer: dict[str, Any] = msgspec.json.decode(line)
    if "error" in answer:
        raise PokeFailed(answer["error"])
    if "items" in answer:
        return NewItems(tuple(answer["items"]), answer["cursor"])
    found: PokeAnswer | None = answer["found"]
    return found


def _how(code: int | None) -> str:
    return f"by {signal_name(-code)}" if code and code < 0 else f"with status {code}"
