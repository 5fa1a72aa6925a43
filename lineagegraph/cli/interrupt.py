"""Ctrl-C and SIGTERM as an event to poll, instead of an exception at any point."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interrupts() -> Iterator[Event]:
    """Yield an event that the first signal sets; a second signal has its default effect.

    An exception raised in a callback of the interpreter would be lost.
    """
    asked = Event()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def hear(number: int, frame: FrameType | None) -> None:
        asked.set()
        restore()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in _SIGNALS:
        signal.signal(number, hear)
    try:
        yield asked
    finally:
        restore()
