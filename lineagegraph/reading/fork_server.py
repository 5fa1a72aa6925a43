"""The server of processes that import definition files: each supervises one import at a time.

Started with the number of a socket's file descriptor, over which connections arrive: each gets a
process, which forks another one for each file, or for several that leave no trace. Its hash seed is
fixed, so that sets have one order.
"""

import gc
import json
import os
import select
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec

import lineagegraph.authoring.batch_tasks
import lineagegraph.authoring.branches
import lineagegraph.authoring.limit
import lineagegraph.authoring.on  # noqa: F401
from lineagegraph.authoring.declared import statement_of
from lineagegraph.errors import DefinitionError
from lineagegraph.model.typed import decode_msgpack
from lineagegraph.process_environment.kernel import adopt_orphans
from lineagegraph.project.loaded import share_loaded
from lineagegraph.reading.child import find_line
from lineagegraph.reading.frames import receive, send
from lineagegraph.reading.import_process import ImportProcess
from lineagegraph.reading.importer import Answer, ImportRefused, ImportRequest, Inputs
from lineagegraph.reading.observe import LISTED, READ, TRACE_SIGNAL, VARIABLE, WRITTEN
from lineagegraph.reading.rehearsal import rehearse
from lineagegraph.reading.shared_process import Ends
from lineagegraph.text import signal_name

MOST_OUTPUT = 16 * 1024 * 1024
_KEPT = 16 * 1024
_POLL_SECONDS = 0.05
_MEMORY_SECONDS = 0.2
_TRACE_SECONDS = 0.5
# A file that takes longer in a process that others have used is imported again in a new one.
_SHARED_SECONDS = 1.0
_IDLE_SECONDS = 1.0


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
    kept: ImportProcess | None = None
    with suppress(OSError):
        while content := receive(connection):
            request = decode_msgpack(content, into=ImportRequest)
            seconds = _allowed_seconds(request)
            send(connection, str(seconds).encode())
            answer, kept = _answer(request, connection, seconds, kept)
            send(connection, answer)
            if kept and not select.select([connection], [], [], _IDLE_SECONDS)[0]:
                kept.end()
                kept = None
    os._exit(0)


def _answer(
    request: ImportRequest,
    connection: socket.socket,
    seconds: float,
    kept: ImportProcess | None,
) -> tuple[bytes, ImportProcess | None]:
    """Return the answer, from the kept process if that has one, and a process to keep."""
    if kept and kept.fits(request):
        shared = Supervisor(request, connection, min(seconds, _SHARED_SECONDS))
        if answer := shared.run_in(kept):
            return answer, kept if kept.is_ready else None
    elif kept:
        kept.end()
    return Supervisor(request, connection, seconds).run()


class Supervisor:
    """The import of one file: its limits, output and answer."""

    def __init__(self, request: ImportRequest, connection: socket.socket, seconds: float) -> None:
        self._request = request
        self._connection = connection
        self._seconds = seconds
        self._pipes = self._answer, self._output, self._trace, self._inputs = [
            Pipe(*os.pipe()) for _ in Ends._fields
        ]
        self._ends = Ends(*(pipe.writing for pipe in self._pipes))
        self._answered = bytearray()
        self._noted = bytearray()
        self._printed = b""
        self._printed_bytes = 0
        self._began = self._weighed = 0.0

    def run(self) -> tuple[bytes, ImportProcess | None]:
        """Run the import in a new process; return the encoded answer, and a process to keep."""
        process = ImportProcess(self._request, self._ends, self._connection)
        excess = self._watch(process)
        fault = self._locate(process, excess) if excess else None
        status = 0 if not fault and process.note_ready() else process.end()
        self._read_rest()
        if fault is None and not self._is_whole():
            fault = self._locate(
                None, f"{_death(status)} while it was imported{self._last_output()}"
            )
        if fault and process.is_ready:
            process.end()
        self._close()
        answer = msgspec.msgpack.encode(self._refusal(fault)) if fault else bytes(self._answered)
        return answer, process if process.is_ready else None

    def run_in(self, process: ImportProcess) -> bytes | None:
        """Run the import in a process that has run others; return None unless all is well.

        That process is ended unless it is ready for the next one.
        """
        process.hand(self._request, self._ends)
        excess = self._watch(process)
        self._read_rest()
        is_well = not excess and self._is_whole()
        if not process.note_ready() or not is_well:
            process.end()
        self._close()
        return bytes(self._answered) if is_well else None

    def _close(self) -> None:
        for pipe in self._pipes:
            os.close(pipe.reading)

    def _watch(self, process: ImportProcess) -> str | None:
        """Read until the import has answered or ended, or return the limit that it exceeds."""
        self._ends.close()
        self._began = self._weighed = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self._connection, selectors.EVENT_READ)
            for readable in self._readable:
                selector.register(readable, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select(_POLL_SECONDS):
                    if key.fileobj is self._connection:
                        # The requesting process is gone.
                        process.end()
                        os._exit(0)
                    if not self._read(key.fd):
                        selector.unregister(key.fd)
                        is_over = self._answered or process.is_shared
                        if key.fd == self._answer.reading and is_over:
                            return None
                if excess := self._excess(process):
                    return excess
                if process.has_ended():
                    return None

    def _read(self, fd: int) -> bool:
        chunk = os.read(fd, 1 << 20)
        if fd == self._answer.reading:
            self._answered += chunk
        elif fd == self._inputs.reading:
            self._noted += chunk
        else:
            self._printed = (self._printed + chunk)[-_KEPT:]
            self._printed_bytes += len(chunk)
        return bool(chunk)

    def _excess(self, process: ImportProcess) -> str | None:
        if self._printed_bytes > MOST_OUTPUT:
            return f"prints more than {MOST_OUTPUT:,} bytes when it is imported: print in tasks"
        now = time.monotonic()
        if now - self._began > self._seconds:
            return (
                f"takes more than {self._seconds:g} s to import: move slow work into tasks, or "
                'give the file more time with lg.file(timeout="5m")'
            )
        if now - self._weighed < _MEMORY_SECONDS:
            return None
        self._weighed, most = now, self._request.memory_bytes
        if process.memory() > most:
            return (
                f"takes more than {most:,} bytes of memory to import: move the work into tasks, "
                "or raise LINEAGEGRAPH_PARSE_MEMORY_BYTES"
            )
        return None

    def _locate(self, process: ImportProcess | None, message: str) -> str:
        """Return the message with the line that is or was running."""
        if process is not None:
            with suppress(ProcessLookupError):
                os.kill(process.pid, TRACE_SIGNAL)
        line = find_line(self._trace.reading, self._request, _TRACE_SECONDS if process else 0.0)
        return f"{line}: {message}"

    def _refusal(self, fault: str) -> ImportRefused:
        """Return the fault with the inputs that the import has noted until it ended."""
        noted = [os.fsdecode(one) for one in bytes(self._noted).split(b"\0")[:-1]]
        names = {
            kind: {one[1:] for one in noted if one[0] == kind}
            for kind in (READ, LISTED, WRITTEN, VARIABLE)
        }
        files = {self._request.file, *names[READ]} - names[WRITTEN]
        values = json.loads(self._request.variables)
        return ImportRefused(
            DefinitionError.__name__,
            fault,
            Inputs(tuple(sorted(files)), tuple(sorted(names[LISTED]))).storable(),
            {name: values.get(name) for name in names[VARIABLE]},
        )

    @property
    def _readable(self) -> tuple[int, ...]:
        return self._answer.reading, self._output.reading, self._inputs.reading

    def _is_whole(self) -> bool:
        with suppress(msgspec.DecodeError):
            decode_msgpack(self._answered, into=Answer)
            return True
        return False

    def _read_rest(self) -> None:
        """Read the rest of the pipes after the processes have ended."""
        for fd in self._readable:
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


def _death(code: int) -> str:
    if code < 0:
        return f"Python was killed by {signal_name(-code)}"
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
