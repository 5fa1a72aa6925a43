"""Holds the import of a definition file to its limits, from the process beside it."""

import ctypes
import os
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec
import psutil

from lineagegraph.authoring.file_statement import statement_of
from lineagegraph.errors import DefinitionError
from lineagegraph.reading.answer import Answer, Inputs, Refused, Request
from lineagegraph.reading.child import import_definitions
from lineagegraph.reading.error_location import find_line
from lineagegraph.reading.guards import WHERE

MOST_OUTPUT = 16 * 1024 * 1024
_KEPT = 16 * 1024
_LOOK_SECONDS = 0.05
_WEIGH_SECONDS = 0.2
_TRACE_SECONDS = 0.5
_DEATH_SIGNAL, _CHILD_SUBREAPER = 1, 36


class Pipe(NamedTuple):
    """Both ends of a pipe."""

    reading: int
    writing: int


def supervise(request: Request, connection: socket.socket) -> NoReturn:
    """Have the file imported, send what comes of it, and end this process.

    The first line that is sent is how many seconds it may take.
    """
    # What a child leaves behind becomes ours, in whatever session it is.
    _prctl(_CHILD_SUBREAPER, 1)
    supervisor = Supervisor(request, connection)
    with suppress(OSError):
        connection.sendall(f"{supervisor.seconds}\n".encode())
        connection.sendall(supervisor.run())
    os._exit(0)


class Supervisor:
    """The import of one file: what it may take, what it printed and answered."""

    def __init__(self, request: Request, connection: socket.socket) -> None:
        self._request = request
        self._connection = connection
        self.seconds = _allowed_seconds(request)
        self._answer, self._output, self._trace = (Pipe(*os.pipe()) for _ in range(3))
        self._answered = bytearray()
        self._printed = b""
        self._printed_bytes = 0
        self._began = self._weighed = 0.0

    def run(self) -> bytes:
        """Return the answer as it is sent."""
        pid = os.fork()
        if pid == 0:
            self._import()
        for pipe in (self._answer, self._output, self._trace):
            os.close(pipe.writing)
        fault = self._watch(pid)
        status = _end(pid)
        self._read_rest()
        if fault is None and not self._is_whole():
            fault = self._fault(None, f"{_death(status)} while it was imported{self._said()}")
        return msgspec.msgpack.encode(fault) if fault else bytes(self._answered)

    def _import(self) -> NoReturn:
        self._connection.close()
        os.setsid()
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:  # noqa: PTH123
            score.write("1000")
        os.dup2(self._output.writing, 1)
        os.dup2(self._output.writing, 2)
        import_definitions(self._request, self._answer.writing, self._trace.writing)
        os._exit(0)

    def _watch(self, pid: int) -> Refused | None:
        """Read what it says until it has answered or ended, or has taken more than it may."""
        self._began = self._weighed = time.monotonic()
        with selectors.DefaultSelector() as selector:
            for readable in (self._answer.reading, self._output.reading, self._connection):
                selector.register(readable, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select(_LOOK_SECONDS):
                    if key.fileobj is self._connection:
                        # Who asked is gone.
                        _end(pid)
                        os._exit(0)
                    if not self._read(key.fd):
                        selector.unregister(key.fd)
                        if key.fd == self._answer.reading and self._answered:
                            return None
                if fault := self._excess(pid):
                    return self._fault(pid, fault)
                if _has_ended(pid):
                    return None

    def _read(self, fd: int) -> bool:
        chunk = os.read(fd, 1 << 20)
        if fd == self._answer.reading:
            self._answered += chunk
        else:
            self._printed = (self._printed + chunk)[-_KEPT:]
            self._printed_bytes += len(chunk)
        return bool(chunk)

    def _excess(self, pid: int) -> str | None:
        if self._printed_bytes > MOST_OUTPUT:
            return f"prints more than {MOST_OUTPUT:,} bytes when it is imported: print in tasks"
        now = time.monotonic()
        if now - self._began > self.seconds:
            return (
                f"takes more than {self.seconds:g} s to import: move slow work into tasks, or "
                'give the file more time with lg.file(timeout="5m")'
            )
        if now - self._weighed < _WEIGH_SECONDS:
            return None
        self._weighed, most = now, self._request.memory_bytes
        if _memory_of(pid) > most:
            return (
                f"takes more than {most:,} bytes of memory to import: move the work into tasks, "
                "or raise LINEAGEGRAPH_PARSE_MEMORY_BYTES"
            )
        return None

    def _fault(self, pid: int | None, what: str) -> Refused:
        """Return what went wrong, with the line that is or was running."""
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, WHERE)
        line = find_line(self._trace.reading, self._request, _TRACE_SECONDS if pid else 0.0)
        inputs = Inputs((self._request.file,))
        return Refused(DefinitionError.__name__, f"{line}: {what}", inputs)

    def _is_whole(self) -> bool:
        with suppress(msgspec.DecodeError):
            msgspec.msgpack.decode(self._answered, type=Answer)
            return True
        return False

    def _read_rest(self) -> None:
        """Read what is left in the pipes of processes that are dead."""
        for fd in (self._answer.reading, self._output.reading):
            os.set_blocking(fd, False)
            with suppress(BlockingIOError):
                while self._read(fd):
                    pass

    def _said(self) -> str:
        lines = self._printed.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f" (its last output: {last[:300]})" if last else ""


def _allowed_seconds(request: Request) -> float:
    with suppress(OSError):
        return statement_of(Path(request.file)).timeout or request.seconds
    return request.seconds


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _memory_of(pid: int) -> int:
    """Return the resident memory of a process and all below it."""
    total = 0
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        total = process.memory_info().rss
        for child in process.children(recursive=True):
            with suppress(psutil.Error):
                total += child.memory_info().rss
    return total


def _has_ended(pid: int) -> bool:
    found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    return found is not None


def _end(pid: int) -> int:
    """Kill the process and whatever it started; return how it ended."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    _end_orphans()
    return os.waitstatus_to_exitcode(status)


def _end_orphans() -> None:
    """Kill what the process left behind: we are its parent now."""
    with suppress(ChildProcessError):
        while True:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                for process in psutil.Process().children(recursive=True):
                    with suppress(psutil.Error):
                        process.kill()
                os.waitpid(-1, 0)


def _death(code: int) -> str:
    if code < 0:
        return f"Python was killed by {signal.Signals(-code).name}"
    return f"Python ended with exit status {code}"
