"""Two transactions that are under way at once: one in between, or before the other's commit."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from lineagegraph.graph import Graph, Transaction

T = TypeVar("T")
_BLOCKED = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN status"
_SECONDS = 120


def calling_after(
    monkeypatch: pytest.MonkeyPatch, place: object, name: str
) -> list[Callable[[], object]]:
    """Return functions that are called, once each, when a function of `place` has its answer."""
    calls: list[Callable[[], object]] = []
    real = getattr(place, name)

    def answer(*given: Any, **named: Any) -> Any:
        found = real(*given, **named)
        while calls:
            calls.pop()()
        return found

    monkeypatch.setattr(place, name, answer)
    return calls


def overlap(
    graph: Graph, first: Callable[[Transaction], object], second: Callable[[Transaction], T]
) -> T:
    """Commit `first` once `second` waits for what it has locked; return the answer of `second`."""

    def begin_both(tx: Transaction) -> Future[T]:
        first(tx)
        later = threads.submit(graph.write, second)
        await_block(graph, later)
        return later

    with ThreadPoolExecutor(1) as threads:
        return graph.write(begin_both).result(_SECONDS)


def await_block(graph: Graph, later: Future[T]) -> None:
    """Return once a call has ended, or a transaction waits for another one."""
    for _ in range(_SECONDS * 20):
        if later.done() or graph.query(_BLOCKED):
            return
        time.sleep(0.05)
