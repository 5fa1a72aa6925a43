"""Requests to Linux's kernel about this process; elsewhere they do nothing."""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

# PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of linux/prctl.h.
_DEATH_SIGNAL, _CHILD_SUBREAPER = 1, 36


def end_with(parent: int) -> None:
    """Let this process be killed when its parent ends, and end now if it has ended."""
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """Let orphans of this process's children become its children, in any session."""
    _prctl(_CHILD_SUBREAPER, 1)


def be_killed_first() -> None:
    """Let the kernel end this process before others where memory is short."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
