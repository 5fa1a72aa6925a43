"""Waiting for a server that is away, however long."""

import time
from collections.abc import Callable
from typing import TypeVar

from lineagegraph.errors import GraphBusy, GraphUnreachable

T = TypeVar("T")
_PAUSE_SECONDS = 0.5


def outlast(attempt: Callable[[], T], patience: float) -> T:
    """Return the result of an attempt, waiting for the server.

    A server that is up but fails is retried for `patience`.
    """
    until = time.monotonic() + patience
    while True:
        try:
            return attempt()
        except GraphUnreachable:
            until = time.monotonic() + patience
        except GraphBusy:
            if time.monotonic() > until:
                raise
        time.sleep(_PAUSE_SECONDS)
