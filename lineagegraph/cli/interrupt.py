"""Ctrl-C and SIGTERM as something to ask for, instead of an exception in the middle of anything."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interrupts() -> Iterator[Event]:
    """Give an event that the first signal sets; the second does what it always does.

    An exception in the middle of a callback of the interpreter's would be lost.
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
