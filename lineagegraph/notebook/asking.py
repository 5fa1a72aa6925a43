"""A query that the notebook waits for: it can say how far it is, and end it."""

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any
from uuid import uuid4

from lineagegraph.errors import GraphError
from lineagegraph.graph import Answer, Graph, ask
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
) -> Answer:
    """Return the answer to a query; on an interrupt the server ends the query too.

    `progress` is told ten times a second how many seconds it has taken, and how many rows came.
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


def _end(graph: Graph, mark: str, asked: Future[Answer]) -> None:
    """End the query on the server; it may not have begun when it is first looked for."""
    until = time.monotonic() + _END_SECONDS
    while not asked.done() and time.monotonic() < until:
        with contextlib.suppress(GraphError), graph.autocommit() as session:
            release_marked(session, mark=mark)
        wait([asked], _LOOK_SECONDS)
