"""One poke in a separate process: the request on standard input, the reply on standard output."""

import asyncio
import os
import sys

import msgspec

from lineagegraph.errors import LineagegraphError
from lineagegraph.model.typed import decode_json
from lineagegraph.process_environment.handover import receive_settings
from lineagegraph.sensing.isolated_poke import PokeReply, PokeRequest
from lineagegraph.sensors import decode_sensor
from lineagegraph.sensors.context import open_context
from lineagegraph.sensors.poke import poke_sensor
from lineagegraph.settings import Settings


def main() -> None:
    """Poke once."""
    settings = receive_settings(restore=True)
    asked = decode_json(sys.stdin.buffer.read(), into=PokeRequest)
    # What the look itself prints is no answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with answers:
        answers.write(msgspec.json.encode(asyncio.run(_look(asked, settings))))
    # Threads that hang must not keep the process.
    os._exit(0)


async def _look(asked: PokeRequest, settings: Settings) -> PokeReply:
    async with open_context(settings, longest=asked.seconds) as context:
        try:
            return PokeReply(await poke_sensor(decode_sensor(asked.kind, asked.fields), context))
        except LineagegraphError as error:
            return PokeReply(error=str(error))


if __name__ == "__main__":
    main()
