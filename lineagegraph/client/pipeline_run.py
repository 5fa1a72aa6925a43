"""A run of a pipeline that was started here: show it, wait for it, stop it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console

from lineagegraph.client.follow import follow, run_tree
from lineagegraph.client.formatting import plain_console
from lineagegraph.client.output import is_notebook, show
from lineagegraph.errors import GraphBusy, GraphUnreachable, RunFailed, RunKilled
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import FINAL, SUCCEEDED, RunState
from lineagegraph.queries.runs.hierarchy import Branch, read_run_tree
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.settings import Settings
from lineagegraph.store.jobs.hierarchy import RunTreeRow
from lineagegraph.text import headline
from lineagegraph.worker.executors import RunExecutor, execute_run

if TYPE_CHECKING:
    from lineagegraph.notebook.widgets.live_run import LiveRun

_POLL_SECONDS = 0.3
_PATIENCE = 3.0
_GRACE = 15.0
_WIDTH = 120


class RunEnd(NamedTuple):
    """How an awaited run ended."""

    run_id: str
    state: RunState

    def __repr__(self) -> str:
        return f"<run {self.run_id}: {self.state}>"


class PipelineRun:
    """A run under way; `await` it or `wait()` for it, and it is shown meanwhile.

    As the value of a notebook's cell it is the live run.
    """

    def __init__(
        self, graph: Graph, settings: Settings, run_id: str, executor: RunExecutor
    ) -> None:
        self.run_id = run_id
        self._graph = graph
        self._settings = settings
        self._executor = executor

    @property
    def state(self) -> RunState:
        """Its current state."""
        return RunState(self._row().state)

    def __await__(self) -> Generator[Any, None, RunEnd]:
        return self._ended().__await__()

    def wait(self) -> RunEnd:
        """Wait until it has ended; an interrupt stops it.

        Raises `RunFailed` or `RunKilled`, with a line that gives the cause.
        """
        try:
            self._watch()
        except BaseException:
            self.stop()
            self._wait_for_end()
            raise
        return self._judge(read_run_tree(self._graph, self.run_id))

    def stop(self) -> None:
        """Cancel its Spark work, and let it become KILLED."""
        if self._executor.is_local:
            self._executor.stop()
            return
        try:
            graph = self._graph.with_patience(_PATIENCE)
            max_event_age = self._settings.max_event_age
            graph.write(
                cancel_run, self.run_id, max_event_age=max_event_age, routes=self._settings.notify
            )
        except (GraphUnreachable, GraphBusy):
            self._executor.stop()

    def log(self, lines: int | None = None) -> str:
        """Return its log, or the last lines of it."""
        path = self._row().log
        if path is None or not Path(path).is_file():
            return ""
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            return "".join(deque(file, maxlen=lines))

    def tree(self) -> str:
        """Return its tasks, Spark applications and actions, with their states."""
        console = Console(width=_WIDTH, color_system=None)
        with console.capture() as text:
            console.print(run_tree(read_run_tree(self._graph, self.run_id)))
        return text.get()

    def live(self) -> LiveRun:
        """Return the live run as a widget."""
        from lineagegraph.notebook.widgets.live_run import LiveRun

        return LiveRun(self._graph, self._settings, run_id=self.run_id)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return self.live()._repr_mimebundle_(**kwargs)

    def __repr__(self) -> str:
        return f"<run {self.run_id}: {self.state}>"

    async def _ended(self) -> RunEnd:
        if is_notebook():
            show(self)
        try:
            while not await asyncio.to_thread(self._is_over):
                await asyncio.sleep(_POLL_SECONDS)
        except BaseException:
            # In a thread of its own: what cancels this would cancel what it awaits.
            await asyncio.shield(asyncio.to_thread(self._stop_and_wait))
            raise
        return self._judge(await asyncio.to_thread(read_run_tree, self._graph, self.run_id))

    def _stop_and_wait(self) -> None:
        self.stop()
        self._wait_for_end()

    def _watch(self) -> None:
        if is_notebook():
            show(self)
            while not self._is_over():
                time.sleep(_POLL_SECONDS)
        else:
            follow(self._graph, lambda: [self.run_id], self._is_over, plain_console(stderr=True))

    def _wait_for_end(self) -> None:
        until = time.monotonic() + _GRACE
        while not self._is_over() and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)

    def _is_over(self) -> bool:
        is_gone = self._executor.is_gone
        try:
            state = self._row().state
        except (GraphUnreachable, GraphBusy):
            return False
        return state in FINAL or (is_gone and state != RunState.WAITING)

    def _judge(self, tree: Branch[RunTreeRow]) -> RunEnd:
        row, state = tree.item, RunState(tree.item.state)
        if state in SUCCEEDED or state is RunState.SKIPPED:
            return RunEnd(self.run_id, state)
        message = f"run {self.run_id} of {row.name} is {state}"
        if state is RunState.KILLED:
            raise RunKilled(message)
        why = next(_faults(tree), "its worker ended before it started")
        raise RunFailed(f"{message}: {why}{f' (log: {row.log})' if row.log else ''}")

    def _row(self) -> RunTreeRow:
        return read_run_tree(self._graph.with_patience(_PATIENCE), self.run_id, limit=1).item


def _faults(tree: Branch[RunTreeRow]) -> Iterator[str]:
    """Yield the errors in a run, the innermost first."""
    for child in tree.children:
        yield from _faults(child)
    row = tree.item
    if row.state == RunState.FAILED and row.error:
        yield f"{row.name}: {headline(row.error)}"


def start_execution(graph: Graph, settings: Settings, run_id: str) -> PipelineRun:
    """Return a queued run, executed by a daemon or by a worker process of its own."""
    return PipelineRun(graph, settings, run_id, execute_run(graph, settings, run_id))
