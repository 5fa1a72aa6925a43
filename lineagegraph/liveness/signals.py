"""Process signals: requests to end, and the death of the parent."""

import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread


def call_on_signals(request: Callable[[], None]) -> None:
    """Call `request` from a thread at the first SIGTERM or SIGINT.

    A handler runs in the middle of the main thread's work: it must not take a lock, because the
    main thread may hold it.
    """
    reading, writing = os.pipe()

    def hear() -> None:
        os.read(reading, 1)
        request()

    Thread(target=hear, name="signals", daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: os.write(writing, b"."))


POLL_SECONDS = 0.5


def wait_until_orphaned(parent: int) -> None:
    """Wait for the death of the parent process, also if it died before this call."""
    with suppress(OSError):  # it is gone, or this system cannot wait for it
        _wait_for_exit(parent)
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)


def _wait_for_exit(parent: int) -> None:
    if sys.platform == "linux":
        descriptor = os.pidfd_open(parent)
        if os.getppid() == parent:
            select.select([descriptor], [], [])
    elif sys.platform == "darwin":
        exits = select.kevent(parent, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
        select.kqueue().control([exits], 1)


def call_when_orphaned(call: Callable[[], object]) -> None:
    """Call once the parent process is gone, for whatever reason."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(POLL_SECONDS)
        call()

    Thread(target=watch, name="orphan", daemon=True).start()
