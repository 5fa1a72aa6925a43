"""The lock on the schema: one process changes it at a time.

It is a node that ends by the database's clock, so a process that dies with it holds up the next
one for no longer than `TERM`.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from uuid import uuid4

from lineagegraph.errors import GraphError
from lineagegraph.graph import migrations
from lineagegraph.graph.connection import Graph

TERM = timedelta(seconds=20)
_POLL_SECONDS = 0.2


@contextmanager
def schema_lock(graph: Graph, wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock; `wait` is called while another process has it."""
    owner = str(uuid4())
    graph.write(migrations.set_one_lock)
    while not graph.write(migrations.claim_lock, owner=owner, term=TERM):
        wait()
        time.sleep(_POLL_SECONDS)
    done = Event()
    keeper = Thread(target=_keep, args=(graph, owner, done), daemon=True)
    keeper.start()
    try:
        yield
    finally:
        done.set()
        keeper.join()
        graph.write(migrations.release_lock, owner=owner)


def _keep(graph: Graph, owner: str, done: Event) -> None:
    while not done.wait(TERM.total_seconds() / 4):
        try:
            graph.write(migrations.claim_lock, owner=owner, term=TERM)
        except GraphError:
            # Every step can be run again, so a lock that is lost does no harm.
            continue
