"""A query that a notebook waits for, with progress and interrupt."""

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any
from uuid import uuid4

from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph, QueryAnswer, Shelter, ask
from lineagegraph.store.admin.transactions import release_marked

Progress = Callable[[float, int], None]
_LOOK_SECONDS = 0.1
_END_SECONDS = 10.0


def ask_and_wait(
    graph: Graph,
    text: str,
    parameters: dict[str, Any],
    *,
    write: bool,
    limit: int | None,
    progress: Progress,
) -> QueryAnswer:
    """Return the answer to a query; on an interrupt the server ends the query too.

    `progress` is called ten times a second with the elapsed seconds and the number of rows.
    """
    mark, rows, began = str(uuid4()), [0], time.monotonic()

    def note(count: int) -> None:
        rows[0] = count

    with ThreadPoolExecutor(max_workers=1) as pool:
        asked = pool.submit(
            ask, graph, text, parameters, write=write, limit=limit, mark=mark, note=note
        )
        try:
            while not wait([asked], _LOOK_SECONDS).done:
                progress(time.monotonic() - began, rows[0])
        except BaseException:
            _end(graph, mark, asked)
            raise
        return asked.result()


def _end(graph: Graph, mark: str, asked: Future[QueryAnswer]) -> None:
    """End the query on the server; it may not have begun at the first attempt."""
    until = time.monotonic() + _END_SECONDS
    while not asked.done() and time.monotonic() < until:
        with contextlib.suppress(GraphError):
            Shelter().call(lambda: _release(graph, mark))
        wait([asked], _LOOK_SECONDS)


def _release(graph: Graph, mark: str) -> None:
    with graph.autocommit() as session:
        release_marked(session, mark=mark)
