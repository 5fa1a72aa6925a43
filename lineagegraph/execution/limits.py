"""Limits of the memory and the CPU time of a task's processes."""

from contextlib import suppress
from time import monotonic

import psutil

from lineagegraph.model.pipelines.definition import Task

_SECONDS = 0.2


class ResourceLimits:
    """Measures a process and its descendants, at most five times a second."""

    def __init__(self, memory_bytes: int | None, cpu_seconds: float | None) -> None:
        self._memory = memory_bytes
        self._cpu = cpu_seconds
        self._measured = 0.0

    def __bool__(self) -> bool:
        """Return whether there is a limit."""
        return self._memory is not None or self._cpu is not None

    def excess(self, pid: int) -> str | None:
        """Return the limit that a process exceeds, as a sentence."""
        if not self or monotonic() - self._measured < _SECONDS:
            return None
        self._measured = monotonic()
        found = _with_descendants(pid)
        if self._memory is not None and (used := sum(map(_own_memory, found))) > self._memory:
            return f"it used {used:,} bytes of memory, more than its limit of {self._memory:,}"
        if self._cpu is not None and sum(map(_cpu_time, found)) > self._cpu:
            return f"it used more CPU time than its limit of {self._cpu:g} s"
        return None


def limits_of(task: Task) -> ResourceLimits:
    """Return the limits that a task states."""
    return ResourceLimits(task.memory, task.cpu_time)


def _with_descendants(pid: int) -> list[psutil.Process]:
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []


def _own_memory(process: psutil.Process) -> int:
    """Return the memory that a process does not share, in bytes: forks share their parent's."""
    with suppress(psutil.Error):
        used: int = process.memory_full_info().uss
        return used
    return 0


def _cpu_time(process: psutil.Process) -> float:
    with suppress(psutil.Error):
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0
