"""A forked process that imports definition files, as its parent sees it."""

import os
import signal
import socket
from contextlib import suppress

import msgspec
import psutil

from lineagegraph.process_environment.kernel import be_killed_first, end_with
from lineagegraph.reading.frames import send
from lineagegraph.reading.importer import ImportRequest
from lineagegraph.reading.shared_process import READY, Ends, import_files

_MOST_FILES = 100


class ImportProcess:
    """A process that imports a file and, while it is ready for them, others of the same project."""

    def __init__(self, request: ImportRequest, ends: Ends, connection: socket.socket) -> None:
        self._control, theirs = socket.socketpair()
        self._request = request
        self._imported = {request.file}
        own = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            end_with(own)
            connection.close()
            self._control.close()
            os.setsid()
            be_killed_first()
            import_files(request, ends, theirs)
        theirs.close()
        #: whether it waits for the next file
        self.is_ready = False

    @property
    def is_shared(self) -> bool:
        """Whether it was given more than one file."""
        return len(self._imported) > 1

    def fits(self, request: ImportRequest) -> bool:
        """Return whether it may try to import a file, which is none that it has imported."""
        own, seen = self._request, self._imported
        is_alike = (own.root, own.environment) == (request.root, request.environment)
        return is_alike and request.file not in seen and len(seen) < _MOST_FILES

    def hand(self, request: ImportRequest, ends: Ends) -> None:
        """Let it import another file; a process that has ended gives no answer."""
        self._imported.add(request.file)
        self.is_ready = False
        with suppress(OSError):
            socket.send_fds(self._control, [b"."], ends)
            send(self._control, msgspec.msgpack.encode(request))

    def note_ready(self) -> bool:
        """Return whether it waits for the next file, after it has closed its end of the answer."""
        with suppress(OSError):
            self.is_ready = self._control.recv(1, socket.MSG_DONTWAIT) == READY
        return self.is_ready

    def end(self) -> int:
        """Kill the process and all that it started; return its exit code."""
        self.is_ready = False
        self._control.close()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        _end_orphans()
        return os.waitstatus_to_exitcode(status)

    def has_ended(self) -> bool:
        """Return whether it has ended by itself."""
        found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return found is not None

    def memory(self) -> int:
        """Return the resident memory of the process and its descendants, in bytes."""
        total = 0
        with suppress(psutil.Error):
            process = psutil.Process(self.pid)
            total = process.memory_info().rss
            for child in process.children(recursive=True):
                with suppress(psutil.Error):
                    total += child.memory_info().rss
        return total


def _end_orphans() -> None:
    """Kill the orphans of the process, which have become children of this one."""
    with suppress(ChildProcessError):
        while True:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                for process in psutil.Process().children(recursive=True):
                    with suppress(psutil.Error):
                        process.kill()
                os.waitpid(-1, 0)
