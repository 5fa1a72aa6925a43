"""The server of processes that import definition files: each supervises one import at a time.

Started with the number of a socket's file descriptor, over which connections arrive: each gets a
process, which forks another one for each file. Its hash seed is fixed, so that sets have one order.
"""

import gc
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

import lineagegraph.authoring.limit
import lineagegraph.authoring.on  # noqa: F401
from lineagegraph.authoring.declared import statement_of
from lineagegraph.errors import DefinitionError
from lineagegraph.model.typed import decode_msgpack
from lineagegraph.process_environment.kernel import adopt_orphans, be_killed_first, end_with
from lineagegraph.project.loaded import share_loaded
from lineagegraph.reading.child import find_line, import_definitions
from lineagegraph.reading.frames import receive, send
from lineagegraph.reading.importer import Answer, ImportRefused, ImportRequest, Inputs
from lineagegraph.reading.observe import TRACE_SIGNAL
from lineagegraph.reading.rehearsal import rehearse

MOST_OUTPUT = 16 * 1024 * 1024
_KEPT = 16 * 1024
_POLL_SECONDS = 0.05
_MEMORY_SECONDS = 0.2
_TRACE_SECONDS = 0.5


class Pipe(NamedTuple):
    """Both ends of a pipe."""

    reading: int
    writing: int


def serve(connection: socket.socket) -> NoReturn:
    """Have one file after the other imported until the other end is closed, and end this process.

    Before an answer the limit of the import is sent, in seconds.
    """
    # Orphans of an import become children of this process, in any session.
    adopt_orphans()
    with suppress(OSError):
        while content := receive(connection):
            supervisor = Supervisor(decode_msgpack(content, into=ImportRequest), connection)
            send(connection, str(supervisor.seconds).encode())
            send(connection, supervisor.run())
    os._exit(0)


class Supervisor:
    """The import of one file: its limits, output and answer."""

    def __init__(self, request: ImportRequest, connection: socket.socket) -> None:
        self._request = request
        self._connection = connection
        self.seconds = _allowed_seconds(request)
        self._answer, self._output, self._trace = (Pipe(*os.pipe()) for _ in range(3))
        self._answered = bytearray()
        self._printed = b""
        self._printed_bytes = 0
        self._began = self._weighed = 0.0

    def run(self) -> bytes:
        """Run the import, and return the encoded answer."""
        own = os.getpid()
        pid = os.fork()
        if pid == 0:
            end_with(own)
            self._import()
        for pipe in (self._answer, self._output, self._trace):
            os.close(pipe.writing)
        fault = self._watch(pid)
        status = _end(pid)
        self._read_rest()
        if fault is None and not self._is_whole():
            fault = self._fault(
                None, f"{_death(status)} while it was imported{self._last_output()}"
            )
        for pipe in (self._answer, self._output, self._trace):
            os.close(pipe.reading)
        return msgspec.msgpack.encode(fault) if fault else bytes(self._answered)

    def _import(self) -> NoReturn:
        self._connection.close()
        os.setsid()
        be_killed_first()
        os.dup2(self._output.writing, 1)
        os.dup2(self._output.writing, 2)
        import_definitions(self._request, self._answer.writing, self._trace.writing)
        os._exit(0)

    def _watch(self, pid: int) -> ImportRefused | None:
        """Read until the import has answered, ended, or exceeded a limit."""
        self._began = self._weighed = time.monotonic()
        with selectors.DefaultSelector() as selector:
            for readable in (self._answer.reading, self._output.reading, self._connection):
                selector.register(readable, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select(_POLL_SECONDS):
                    if key.fileobj is self._connection:
                        # The requesting process is gone.
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
        if now - self._weighed < _MEMORY_SECONDS:
            return None
        self._weighed, most = now, self._request.memory_bytes
        if _memory_of(pid) > most:
            return (
                f"takes more than {most:,} bytes of memory to import: move the work into tasks, "
                "or raise LINEAGEGRAPH_PARSE_MEMORY_BYTES"
            )
        return None

    def _fault(self, pid: int | None, message: str) -> ImportRefused:
        """Return the error with the line that is or was running."""
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, TRACE_SIGNAL)
        line = find_line(self._trace.reading, self._request, _TRACE_SECONDS if pid else 0.0)
        inputs = Inputs((self._request.file,))
        return ImportRefused(DefinitionError.__name__, f"{line}: {message}", inputs)

    def _is_whole(self) -> bool:
        with suppress(msgspec.DecodeError):
            decode_msgpack(self._answered, into=Answer)
            return True
        return False

    def _read_rest(self) -> None:
        """Read the rest of the pipes after the processes have ended."""
        for fd in (self._answer.reading, self._output.reading):
            os.set_blocking(fd, False)
            with suppress(BlockingIOError):
                while self._read(fd):
                    pass

    def _last_output(self) -> str:
        lines = self._printed.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f" (its last output: {last[:300]})" if last else ""


def _allowed_seconds(request: ImportRequest) -> float:
    with suppress(OSError):
        return statement_of(Path(request.file)).timeout or request.seconds
    return request.seconds


def _memory_of(pid: int) -> int:
    """Return the resident memory of a process and its descendants, in bytes."""
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
    """Kill the process and all that it started; return its exit code."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    _end_orphans()
    return os.waitstatus_to_exitcode(status)


def _end_orphans() -> None:
    """Kill the orphans of the process, which have become children of this one."""
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


def main(control: socket.socket) -> NoReturn:
    """Serve until the other end is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    rehearse()
    share_loaded()
    # Forks share the memory of objects that no collection touches.
    gc.freeze()
    while True:
        _, fds, _, _ = socket.recv_fds(control, 1, 1)
        if not fds:
            os._exit(0)
        if os.fork() == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            serve(socket.socket(fileno=fds[0]))
        os.close(fds[0])


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
