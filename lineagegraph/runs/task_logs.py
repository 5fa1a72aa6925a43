"""The log of a run or task: its file if this host has it, else the part in the graph."""

import socket
from pathlib import Path

import msgspec

from lineagegraph.errors import GraphError, NotFound
from lineagegraph.execution.log_file import undisturbed
from lineagegraph.execution.logs import own_logs
from lineagegraph.graph import Graph
from lineagegraph.store.runs import task_logs

KEPT_BYTES = 32_000
LONGEST_ANSWER = 2_000_000


class TaskLog(msgspec.Struct, frozen=True):
    """The log of one attempt; `is_whole` is false if a part is left out."""

    text: str  # the lines, each with its time in UTC
    attempt: int | None  # number of the attempt; None if there is no log
    host: str | None  # host of the worker, if the text is from the graph
    is_whole: bool  # whether no line is left out


def keep_log(graph: Graph, run_id: str, attempt: int, path: Path) -> None:
    """Keep head and tail of a finished attempt in the graph, unless Neo4j is away."""
    try:
        text, _ = _read(path, KEPT_BYTES)
        graph.write(
            task_logs.set_log, id=run_id, text=text, attempt=attempt, host=socket.gethostname()
        )
    except (GraphError, OSError):
        return


def read_log(graph: Graph, logs: Path, run_id: str, attempt: int | None = None) -> TaskLog:
    """Return the log of a run; without `attempt` the newest.

    Only files below `logs` are read. Raises `NotFound` if neither this host nor the graph has the
    log of that attempt.
    """
    kept = graph.read(task_logs.get_log, id=run_id)
    if kept is None:
        raise NotFound(f"run {run_id} does not exist")
    if kept.path and (files := own_logs(Path(kept.path), logs)):
        number = max(files) if attempt is None else attempt
        if number in files:
            text, is_whole = _read(files[number], LONGEST_ANSWER)
            return TaskLog(text, number, None, is_whole)
    if kept.text is not None and attempt in (None, kept.attempt):
        is_whole = len(kept.text.encode()) < KEPT_BYTES
        return TaskLog(kept.text, kept.attempt, kept.host, is_whole)
    if attempt is not None:
        where = f"; it may be on host {kept.host}" if kept.host else ""
        raise NotFound(f"run {run_id} has no log of attempt {attempt} here{where}")
    return TaskLog("", None, kept.host, is_whole=kept.path is None)


def _read(path: Path, limit: int) -> tuple[str, bool]:
    """Return head and tail of a file with at most that many bytes, and whether that is all."""
    with path.open("rb") as file, undisturbed(file):
        size = file.seek(0, 2)
        file.seek(0)
        if size < limit:
            return file.read().decode(errors="replace"), True
        room = limit // 2 - 100
        head = file.read(room)
        file.seek(size - room)
        tail = file.read()
    cut = f"\n… {size - 2 * room} bytes are left out here; the file is {path.name} …\n".encode()
    return (head + cut + tail).decode(errors="replace"), False
