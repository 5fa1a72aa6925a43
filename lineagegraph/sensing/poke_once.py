"""Pokes in a separate process: requests on standard input, replies on standard output."""

import asyncio
import os
import signal
import sys

import msgspec

from lineagegraph.errors import LineagegraphError, PokeOverdue
from lineagegraph.model.new_items import NewItems
from lineagegraph.model.typed import decode_json
from lineagegraph.process_environment.handover import receive_settings
from lineagegraph.process_environment.memory import limit_memory
from lineagegraph.process_environment.modules import search_folder
from lineagegraph.sensing.isolated_poke import OUT_OF_MEMORY, PokeReply, PokeRequest
from lineagegraph.sensors import decode_sensor
from lineagegraph.sensors.context import open_context
from lineagegraph.sensors.poke import poke_sensor
from lineagegraph.settings import Settings

_GRACE_SECONDS = 0.5


def main() -> None:
    """Poke one sensor after the other."""
    search_folder()
    settings = receive_settings(restore=True)
    limit_memory(settings.sensor_memory_bytes)
    # What the look itself prints is no answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        reply = _reply(decode_json(line, into=PokeRequest), settings)
        answers.write(msgspec.json.encode(reply) + b"\n")
        answers.flush()
    # Threads that hang must not keep the process.
    os._exit(0)


def _reply(asked: PokeRequest, settings: Settings) -> PokeReply:
    # The system ends the process, whatever holds it: a poke that keeps the interpreter's lock
    # stops all timers of Python, and the parent may be gone.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, asked.seconds + _GRACE_SECONDS)
    try:
        return asyncio.run(_look(asked, settings))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


async def _look(asked: PokeRequest, settings: Settings) -> PokeReply:
    async with open_context(settings, longest=asked.seconds) as context:
        try:
            sensor = decode_sensor(asked.kind, asked.fields)
            found = await poke_sensor(sensor, context, asked.cursor)
        except LineagegraphError as error:
            if isinstance(error.__cause__, MemoryError):
                os._exit(OUT_OF_MEMORY)
            return PokeReply(error=str(error), is_overdue=isinstance(error, PokeOverdue))
    if isinstance(found, NewItems):
        return PokeReply(items=found)
    return PokeReply(found)


if __name__ == "__main__":
    main()
