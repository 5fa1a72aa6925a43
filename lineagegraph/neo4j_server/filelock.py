"""Locks between processes; the system frees one when its last holder ends, however it ends.

Not the package filelock (4.2): it releases with LOCK_UN, which takes the lock from a child that
inherited the descriptor, while here the server holds on to what its starter claimed; and it cannot
ask whether another process holds a lock without taking it.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LONGER_THAN_A_LOOK_SECONDS = 0.5
"""`held` has the lock itself for a moment, which must not pass for a claim."""


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the lock on `file`, waiting for its holder."""
    descriptor = _open(file)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def claimed(file: Path) -> Iterator[int | None]:
    """Hold the lock on `file` and give its descriptor, or `None` if another process holds it.

    A child that inherits the descriptor holds the lock for as long as it lives.
    """
    descriptor = _open(file)
    try:
        yield descriptor if _taken_soon(descriptor) else None
    finally:
        os.close(descriptor)


def held(file: Path) -> bool:
    """Return whether any process claims `file`."""
    try:
        # A shared lock needs no file that can be written.
        descriptor = os.open(file, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        return False
    try:
        return not _taken(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _open(file: Path) -> int:
    return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)


def _taken_soon(descriptor: int) -> bool:
    deadline = time.monotonic() + _LONGER_THAN_A_LOOK_SECONDS
    while not _taken(descriptor, fcntl.LOCK_EX):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _taken(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
