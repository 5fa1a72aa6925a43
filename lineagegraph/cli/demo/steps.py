"""Steps that both demos share."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from lineagegraph.daemon.daemon import Daemon
from lineagegraph.errors import NotFound, RunError
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import FINAL
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.runs.runs import read_runs
from lineagegraph.reading.sync import sync_path
from lineagegraph.runs.queue import QueueRequest, queue_run
from lineagegraph.settings import Settings
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.history import RunRow

_MOST_SECONDS = 300.0
_POLL_SECONDS = 0.3


def sync(graph: Graph, settings: Settings, path: Path) -> None:
    """Sync definitions; raise `RunError` with the first one that is invalid."""
    result = sync_path(graph, settings, path)
    if result.failures:
        raise RunError(result.failures[0])


@contextmanager
def daemon_running(graph: Graph, settings: Settings) -> Iterator[None]:
    """Run a daemon in this process, which launches runs meanwhile."""
    daemon = Daemon(graph, settings)
    daemon.start()
    try:
        yield
    finally:
        daemon.stop()


def queue(graph: Graph, job: str, params: dict[str, str] | None = None) -> str:
    """Queue a run of a pipeline, and return its id."""
    found = find_job(graph, job)
    request = QueueRequest(job_key=found.key, fqn=found.fqn, params=params or {})
    return queue_run(graph, request).run_id


def newest(graph: Graph, job: str) -> str | None:
    """Return the newest run of a job; None without one, or without the job."""
    try:
        runs = read_runs(graph, job, limit=1)
    except NotFound:
        return None
    return runs[0].id if runs else None


def await_end(graph: Graph, job: str) -> RunRow:
    """Return the newest run of a job when it has ended."""
    deadline = time.monotonic() + _MOST_SECONDS
    while time.monotonic() < deadline:
        runs = read_runs(graph, job, limit=1)
        if runs and runs[0].state in FINAL:
            return runs[0]
        time.sleep(_POLL_SECONDS)
    raise RunError(f"{job} did not end within {_MOST_SECONDS:.0f} s: see `lineagegraph runs {job}`")


def states(graph: Graph, runs: Sequence[str]) -> dict[str, str]:
    """Return the states of runs."""
    return {row.id: row.state for row in graph.read(launches.list_states, ids=list(runs))}


def shorten(found: Any, folder: Path) -> Any:
    """Return a value from the graph with the paths in it relative to a folder."""
    if isinstance(found, str):
        return found.replace(f"{folder}/", "")
    if isinstance(found, list | tuple):
        return type(found)(shorten(item, folder) for item in found)
    if isinstance(found, msgspec.Struct):
        values = msgspec.structs.asdict(found)
        changed = {name: shorten(value, folder) for name, value in values.items()}
        return msgspec.structs.replace(found, **changed)
    return found
