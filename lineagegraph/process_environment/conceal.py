"""Hide variables of this process from other processes."""

import ctypes
import os
import sys
from fnmatch import fnmatchcase

from lineagegraph.process_environment.chosen import BASE, PUBLIC_SETTINGS


def conceal_environment() -> None:
    """Blank the values that `ps e` and `/proc/PID/environ` show of this process, in Linux.

    `os.environ` and `getenv` keep them. Variables that programs need stay readable: C libraries
    may hold pointers to them. Call it before threads start.
    """
    if sys.platform != "linux":
        return
    # The kernel shows the memory in which it put the variables at the start (proc(5), environ).
    pointers = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
    initial: list[tuple[int, bytes]] = []
    number = 0
    while address := pointers[number]:
        initial.append((address, ctypes.string_at(address)))
        number += 1
    for address, text in initial:
        name, _, value = text.partition(b"=")
        if value and not _is_public(os.fsdecode(name)) and name in os.environb:
            # setenv(3) puts a copy elsewhere, and lets `environ` point to that.
            os.environb[name] = os.environb[name]
            ctypes.memset(address + len(name) + 1, 0, len(value))


def _is_public(name: str) -> bool:
    return name in PUBLIC_SETTINGS or any(fnmatchcase(name, one) for one in BASE)
