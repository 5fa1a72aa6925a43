"""A process that must not outlive the one that started it."""

import os
import time
from collections.abc import Callable
from threading import Thread

LOOK_SECONDS = 0.5


def call_when_orphaned(call: Callable[[], object]) -> None:
    """Call once the parent process is gone, however it went."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        call()

    Thread(target=watch, name="orphan", daemon=True).start()
