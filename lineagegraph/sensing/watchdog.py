"""Notices from a thread of its own that the loop stands still."""

import asyncio
import time
from collections.abc import Callable
from threading import Event, Thread

_LOOKS = 4


class Watchdog:
    """Call `bite` once if the loop has stood still for some seconds.

    `bite` gets the name of the step that blocked the loop, if it is known.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, seconds: float, bite: Callable[[str | None], None]
    ) -> None:
        self._loop = loop
        self._seconds = seconds
        self._bite = bite
        self._seen = time.monotonic()
        self._over = Event()
        self._thread = Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        """Start watching."""
        self._thread.start()

    def stop(self) -> None:
        """Stop watching."""
        self._over.set()
        self._thread.join()

    async def live(self) -> None:
        """Show life from the loop, until cancelled."""
        while True:
            self._seen = time.monotonic()
            await asyncio.sleep(self._seconds / _LOOKS)

    def _watch(self) -> None:
        doubts = 0
        while not self._over.wait(self._seconds / _LOOKS):
            # The whole process may have been stopped: then the loop gets one more turn.
            doubts = doubts + 1 if time.monotonic() - self._seen > self._seconds else 0
            if doubts > 1:
                self._bite(self._culprit())
                return

    def _culprit(self) -> str | None:
        task = asyncio.current_task(self._loop)
        return task.get_name() if task else None
