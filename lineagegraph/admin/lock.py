"""The lock of work that one process at a time does, such as a sweep.

It ends by the database's clock, so a process that dies with it holds up the next one for no longer
than `_TERM`.
"""

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from lineagegraph.errors import AlreadyRunning, GraphError
from lineagegraph.graph import Graph, Transaction, renewing
from lineagegraph.model.runs.ids import new_id
from lineagegraph.store.admin import locks

_TERM = timedelta(seconds=10)
# Longer than the term, so that work that was killed can be repeated at once.
_PATIENCE_SECONDS = 20.0
_POLL_SECONDS = 0.5


class WorkLock:
    """A lock by name; `owner` is the id of the work that holds it."""

    def __init__(self, name: str) -> None:
        self.owner = new_id()
        self._name = name
        self._holder = f"{socket.gethostname()}:{os.getpid()}"

    def is_claimed(self, tx: Transaction) -> bool:
        """Take or renew the lock; return False if other work has it."""
        owner = locks.claim_lock(
            tx, name=self._name, owner=self.owner, holder=self._holder, term=_TERM, now=None
        )
        return owner is not None

    def assert_held(self, tx: Transaction) -> None:
        """Renew the lock; raise `AlreadyRunning` if it lapsed and other work took it.

        As the last step of a transaction: it keeps the lock from being renewed until the commit.
        """
        if not self.is_claimed(tx):
            raise self.refusal(locks.get_holder(tx, name=self._name))

    def begin_reading(self, tx: Transaction) -> None:
        """Read all events that arrive from now on, also if the clock is put back."""
        self.assert_held(tx)
        locks.set_reading(tx, name=self._name, owner=self.owner)

    def get_reading(self, tx: Transaction) -> datetime | None:
        """Return the time from which it reads events; None if other work has the lock."""
        return locks.get_reading(tx, name=self._name, owner=self.owner)

    def release(self, tx: Transaction) -> None:
        """Let others take the lock."""
        locks.release_lock(tx, name=self._name, owner=self.owner)

    def get_holder(self, tx: Transaction) -> str | None:
        """Return the process that holds the lock."""
        return locks.get_holder(tx, name=self._name)

    def refusal(self, holder: str | None) -> AlreadyRunning:
        """Return the error for who cannot have the lock."""
        return AlreadyRunning(
            f"another {self._name} is under way in process {holder}: try again when it has ended"
        )


@contextmanager
def work_lock(
    graph: Graph, name: str, wait: Callable[[], None] = lambda: None
) -> Iterator[WorkLock]:
    """Hold the lock of some work, and call `wait` if other work has it.

    Raises `AlreadyRunning` if that goes on.
    """
    lock = WorkLock(name)
    until = time.monotonic() + _PATIENCE_SECONDS
    while not graph.write(lock.is_claimed):
        if time.monotonic() > until:
            raise lock.refusal(graph.read(lock.get_holder))
        wait()
        time.sleep(_POLL_SECONDS)
    try:
        with renewing(lambda: graph.write(lock.is_claimed), _TERM):
            yield lock
    finally:
        # It lapses by itself if Neo4j is away.
        with suppress(GraphError):
            graph.write(lock.release)
