"""Two transactions of which the second begins before the first has committed."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from lineagegraph.graph import Graph, Transaction

T = TypeVar("T")
_BLOCKED = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN status"
_SECONDS = 120


def overlap(
    graph: Graph, first: Callable[[Transaction], object], second: Callable[[Transaction], T]
) -> T:
    """Commit `first` once `second` waits for what it has locked; return the answer of `second`."""

    def begin_both(tx: Transaction) -> Future[T]:
        first(tx)
        later = threads.submit(graph.write, second)
        _await_block(graph, later)
        return later

    with ThreadPoolExecutor(1) as threads:
        return graph.write(begin_both).result(_SECONDS)


def _await_block(graph: Graph, later: Future[T]) -> None:
    for _ in range(_SECONDS * 20):
        if later.done() or graph.query(_BLOCKED):
            return
        time.sleep(0.05)
