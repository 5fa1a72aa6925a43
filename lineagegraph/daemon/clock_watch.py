"""Notices that somebody sets the system's clock, after which planned times are wrong."""

import time
from collections.abc import Callable
from threading import Event, Thread

import structlog

log = structlog.get_logger()
_LOOK_SECONDS = 1.0
_STEP_SECONDS = 1.0  # no clock is that wrong after one second, unless it was set


class ClockWatch:
    """Calls a function, in a thread of its own, each time the clock was set."""

    def __init__(self, on_step: Callable[[], None], clock: Callable[[], float] = time.time) -> None:
        self._on_step = on_step
        self._clock = clock
        self._ended = Event()
        self._thread = Thread(target=self._watch, name="clock-watch", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """End the watch."""
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        ahead = self._read_ahead()
        while not self._ended.wait(_LOOK_SECONDS):
            before, ahead = ahead, self._read_ahead()
            if abs(ahead - before) > _STEP_SECONDS:
                log.warning("clock_set", seconds=round(ahead - before))
                self._on_step()

    def _read_ahead(self) -> float:
        return self._clock() - time.monotonic()
