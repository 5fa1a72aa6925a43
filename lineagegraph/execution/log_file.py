"""A log file of limited size: its head stays, and of the rest its end."""

import fcntl
import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock, Timer
from time import monotonic
from typing import IO

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from lineagegraph.private_files import open_private, private_folder
from lineagegraph.secrets import mask_text
from lineagegraph.settings import load_settings

_LONGEST_TAIL = 1_000_000
_SYNC_SECONDS = 1.0
_locking = Retrying(
    retry=retry_if_exception_type(BlockingIOError),
    stop=stop_after_delay(1),
    wait=wait_fixed(0.01),
    reraise=True,
)


class LogFile:
    """Takes whole lines with the time of each write, and masks the secrets in them.

    Above the size limit the end of the file is held in memory, and written about once a second, so
    that a program that prints much slows no others. Lines that a full disk does not take are left
    out: a task must not fail, or hang, as its output has no room.
    """

    def __init__(self, path: Path) -> None:
        private_folder(path.parent)
        # Without a buffer: what could not be written must not be tried again before other lines.
        self._file = open_private(path, "ab", buffering=0)
        self._lock = RLock()
        limit = load_settings().task_log_bytes
        self._tail_bytes = min(limit // 2, _LONGEST_TAIL)
        self._room = limit - self._tail_bytes
        self._head: int | None = None  # size of the head once it is full
        self._tail: deque[tuple[str, str]] = deque()
        self._tail_size = 0  # bytes that it takes in the file
        self._cut = 0  # characters that were left out
        self._lost, self._lost_at = 0, ""  # characters that a full disk did not take, and when
        self._timer: Timer | None = None
        self._pause = _SYNC_SECONDS

    def append(self, now: str, text: str) -> None:
        """Append lines; the text has no line end after the last one."""
        with self._lock:
            if self._file.closed:
                return
            if self._head is None and (lines := _lines(now, text, self._room)) is not None:
                self._room -= len(lines)
                if not self._write_on(lines):
                    self._lost += len(text) + 1
                    self._lost_at = now
                return
            if self._head is None:
                self._write_on()
                self._head = self._size()
            self._keep(now, text)

    def close(self) -> None:
        """Write the end, and ignore later lines."""
        with self._lock:
            if self._timer:
                self._timer.cancel()
            self._sync()
            self._write_on()
            self._file.close()

    def _write_on(self, lines: bytes = b"") -> bool:
        """Append lines, below how much was lost before them; return whether the disk took both."""
        is_written = self._write(self._lost_line() + lines)
        if is_written:
            self._lost = 0
        return is_written

    def _lost_line(self) -> bytes:
        if not self._lost:
            return b""
        about = f"{self._lost} characters of output were lost, as the disk was full"
        return f"{self._lost_at} … {about} …\n".encode()

    def _write(self, data: bytes) -> bool:
        """Append all of it or nothing, and return whether the disk took it."""
        before, rest = self._size(), memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            # Half a line must not become the start of another one.
            self._file.truncate(before)
        return not rest

    def _size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def _keep(self, now: str, text: str) -> None:
        self._tail.append((now, text))
        self._tail_size += _size_of(now, text)
        while self._tail_size - (first := _size_of(*self._tail[0])) >= self._tail_bytes:
            _, dropped = self._tail.popleft()
            self._tail_size -= first
            self._cut += len(dropped) + 1
        if self._timer is None:
            self._timer = Timer(self._pause, self._sync)
            self._timer.daemon = True
            self._timer.start()

    def _sync(self) -> None:
        """Write the tail over the former one."""
        with self._lock:
            self._timer = None
            if self._head is None or self._file.closed:
                return
            began = monotonic()
            first = _cut_line(self._tail[0][0], self._cut) if self._cut else b""
            rest = b"".join(_lines(now, text) or b"" for now, text in self._tail)
            with undisturbed(self._file, fcntl.LOCK_EX):
                self._file.truncate(self._head)
                # Without room it stays in memory, and is written with the next line or at the end.
                self._write(first + rest)
            self._pause = max(_SYNC_SECONDS, 20 * (monotonic() - began))


@contextmanager
def undisturbed(file: IO[bytes], lock: int = fcntl.LOCK_SH) -> Iterator[bool]:
    """Hold a lock on a log, so that nobody reads its end while that is only half written.

    Yields whether it is held: a process that stands still with the lock is waited for no longer
    than a second. Where a file system has no locks, it counts as held.
    """
    try:
        _locking(fcntl.flock, file, lock | fcntl.LOCK_NB)
        is_held = True
    except OSError as error:
        is_held = not isinstance(error, BlockingIOError)
    try:
        yield is_held
    finally:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)


def _lines(now: str, text: str, room: int | None = None) -> bytes | None:
    """Return the masked lines with their time, or None if they take more than the room."""
    if room is not None and len(text) > room:
        return None
    lines = mask_text(text).split("\n")
    found = "".join(f"{now} {line}\n" for line in lines).encode(errors="backslashreplace")
    return None if room is not None and len(found) > room else found


def _size_of(now: str, text: str) -> int:
    """Return the bytes of lines with their time, before secrets are masked."""
    size = len(text) if text.isascii() else len(text.encode(errors="backslashreplace"))
    return size + (text.count("\n") + 1) * (len(now) + 2)


def _cut_line(now: str, cut: int) -> bytes:
    return f"{now} … {cut} characters of output are left out here (task_log_bytes) …\n".encode()
