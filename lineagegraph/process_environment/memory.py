"""Memory of processes: how much one takes, and the limit of this one."""

import resource
import sys
from contextlib import suppress

import psutil


def resident_bytes(pid: int) -> int:
    """Return the memory that a process takes now; 0 if it has ended."""
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0


def limit_memory(most: int) -> None:
    """Let this process, and each that it starts, have so many bytes of its own at most.

    Only Linux counts them all; elsewhere there is no such limit.
    """
    if sys.platform == "linux":
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
