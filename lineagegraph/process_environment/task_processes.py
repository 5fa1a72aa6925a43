"""The processes of a run: each inherits a mark in its environment, and ends by it.

A mark stays true when a pid does not: it is read from the process itself, and a pid that another
process got meanwhile has no such mark.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from time import monotonic, sleep

import psutil

from lineagegraph.model.runs.ids import new_id

MARK = "LINEAGEGRAPH_PROCESS_OF"

_ROUNDS = 20
_ROUND_SECONDS = 0.5


def claim_mark(run_id: str, fence: int, place: str) -> str:
    """Return the mark of a run's processes under one claim; marks of its parts begin with it."""
    return f"{run_mark(run_id, place)}{fence}/"


def run_mark(run_id: str, place: str) -> str:
    """Return the start of the marks of all processes of a run; see `graph_place`."""
    return f"{run_id}/{place}/"


def part_mark(name: str) -> str:
    """Return a new mark for a part of this process, below its own mark if it has one."""
    return f"{os.environ.get(MARK) or '/'}{name}/{new_id()}/"


def own_mark() -> dict[str, str]:
    """Return the variable with this process's mark; empty if it has none."""
    return {MARK: os.environ[MARK]} if MARK in os.environ else {}


def own_run() -> str | None:
    """Return the run that this process belongs to, if it is one of a task."""
    return os.environ.get(MARK, "").partition("/")[0] or None


def end_processes(mark: str, leaders: Collection[int] = ()) -> int:
    """Kill this user's processes whose mark begins so, and return their number.

    Sessions that such a process or one of the `leaders` leads end with it, also processes in them
    that cleared their environment. Repeats until none is left, as they may start others meanwhile.
    """
    ended: set[int] = set()
    for _ in range(_ROUNDS):
        found = list(_find(mark, leaders))
        for process in found:
            # Compares the start time first: a pid that was reused is left alone.
            with suppress(psutil.Error):
                process.kill()
        if not found:
            break
        ended |= {process.pid for process in found}
        _await_ends(found)
    return len(ended)


def _await_ends(processes: list[psutil.Process]) -> None:
    # Without `wait`: the exit of a child belongs to the code that started it.
    deadline = monotonic() + _ROUND_SECONDS
    while monotonic() < deadline and any(map(_lives, processes)):
        sleep(0.01)


def _find(mark: str, leaders: Collection[int]) -> Iterator[psutil.Process]:
    sessions, others = set(leaders), []
    for process in _processes():
        if not _mark_of(process).startswith(mark):
            others.append(process)
        elif _lives(process):
            sessions.add(process.pid)
            yield process
    for process in others:
        if _session(process) in sessions and _lives(process):
            yield process


def _processes() -> Iterator[psutil.Process]:
    for pid in psutil.pids():
        # Always new objects: those of `process_iter` may be of a former process of the pid.
        with suppress(psutil.Error):
            if pid != os.getpid():
                yield psutil.Process(pid)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _mark_of(process: psutil.Process) -> str:
    try:
        return process.environ().get(MARK, "")
    except (psutil.Error, OSError):
        return ""


def _session(process: psutil.Process) -> int | None:
    try:
        return os.getsid(process.pid)
    except OSError:
        return None
