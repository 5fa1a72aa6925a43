"""Output of this process and its programs below Python: by C code, `os.system` and `subprocess`.

Tasks that run in one process share its descriptors, so such a line belongs to a task only if no
other runs in the process; else it is in the run's log, with the names of the tasks.
"""

import ctypes
import os
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from select import select
from threading import Event, Lock, Thread
from time import monotonic, sleep

from lineagegraph.execution.logs import Log, capture_output

CHUNK_BYTES = 65_536
_DRAIN_SECONDS = 1.0
_POLL_SECONDS = 0.2

_printing: list[tuple[str, Log]] = []
_captured: "list[_Descriptors]" = []


@contextmanager
def capture_process_output(rest: Log) -> Iterator[None]:
    """Send all output of this process to the logs of its tasks or to `rest`, by descriptor too."""
    with _captured_descriptors(rest), capture_output(rest):
        yield


@contextmanager
def printing(path: str, log: Log) -> Iterator[None]:
    """Meanwhile, a task runs in this process."""
    _drain()
    _printing.append((path, log))
    try:
        yield
    finally:
        _drain()
        _printing.remove((path, log))


def _drain() -> None:
    if _captured:
        # Buffers of C, of which nothing else knows the end of a task.
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).fflush(None)
        _captured[-1].drain()


@contextmanager
def _captured_descriptors(rest: Log) -> Iterator[None]:
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream:
            stream.flush()
    kept = [os.dup(1), os.dup(2)]
    reading, writing = os.pipe()
    for number in (1, 2):
        os.dup2(writing, number)
    os.close(writing)
    descriptors = _Descriptors(reading, rest)
    _captured.append(descriptors)
    try:
        yield
    finally:
        _drain()
        _captured.pop()
        for number, before in zip((1, 2), kept, strict=True):
            os.dup2(before, number)
            os.close(before)
        descriptors.close()


class _Descriptors:
    def __init__(self, reading: int, rest: Log) -> None:
        self._reading = reading
        self._rest = rest
        self._begun = ""
        self._decoder = getincrementaldecoder("utf-8")(errors="backslashreplace")
        self._lock = Lock()
        self._over = Event()
        self._thread = Thread(target=self._read_all, name="output", daemon=True)
        self._thread.start()

    def drain(self) -> None:
        """Wait until all is read that was printed before, as long as that takes a second."""
        deadline = monotonic() + _DRAIN_SECONDS
        while select([self._reading], [], [], 0)[0] and monotonic() < deadline:
            sleep(0.005)
        with self._lock:
            if self._begun:
                self._route(self._begun + "\n")
                self._begun = ""

    def close(self) -> None:
        """Stop reading; programs that are left behind may still hold the other end."""
        self._over.set()
        self._thread.join(2 * _POLL_SECONDS)

    def _read_all(self) -> None:
        while not self._over.is_set():
            if not select([self._reading], [], [], _POLL_SECONDS)[0]:
                continue
            with self._lock:
                data = os.read(self._reading, CHUNK_BYTES)
                if not data:
                    return
                self._take(self._decoder.decode(data))

    def _take(self, text: str) -> None:
        whole, end, begun = (self._begun + text).rpartition("\n")
        self._begun = begun
        if end:
            self._route(whole + end)
        if len(self._begun) > CHUNK_BYTES:
            self._route(self._begun + "\n")
            self._begun = ""

    def _route(self, text: str) -> None:
        now = list(_printing)
        if len(now) == 1:
            now[0][1].write(text)
            return
        if now:
            names = f"[{' | '.join(path for path, _ in now)}] "
            text = "".join(f"{names}{line}" for line in text.splitlines(keepends=True))
        self._rest.write(text)
