"""The watchdog sees that the loop stands still, and at what."""

import asyncio
import threading
import time

from lineagegraph.sensing.watchdog import Watchdog


def test_a_poke_that_blocks_the_loop_is_named() -> None:
    bitten = threading.Event()
    culprits: list[str | None] = []

    def bite(culprit: str | None) -> None:
        culprits.append(culprit)
        bitten.set()

    async def main() -> None:
        watchdog = Watchdog(asyncio.get_running_loop(), 1, bite)
        watchdog.start()
        alive = asyncio.create_task(watchdog.live())
        await asyncio.sleep(0.05)
        blocking = asyncio.create_task(block(), name="poke abc")
        await blocking
        alive.cancel()
        watchdog.stop()

    async def block() -> None:
        deadline = time.monotonic() + 30
        while not bitten.is_set() and time.monotonic() < deadline:
            time.sleep(0.01)

    asyncio.run(main())
    assert culprits == ["poke abc"]
