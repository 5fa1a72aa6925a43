"""The lock on the schema: one process changes it at a time.

It is a node that ends by the database's clock, so a process that dies with it holds up the next
one for no longer than `TERM`. If it is lost, that does no harm: every step can be run again.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

from lineagegraph.graph import migrations
from lineagegraph.graph.connection import Graph
from lineagegraph.graph.renewal import renewing

TERM = timedelta(seconds=20)
_POLL_SECONDS = 0.2


@contextmanager
def schema_lock(graph: Graph, wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock; `wait` is called while another process has it."""
    owner = str(uuid4())

    def claim() -> str | None:
        return graph.write(migrations.claim_lock, owner=owner, term=TERM)

    graph.write(migrations.set_one_lock)
    while not claim():
        wait()
        time.sleep(_POLL_SECONDS)
    try:
        with renewing(claim, TERM):
            yield
    finally:
        graph.write(migrations.release_lock, owner=owner)
