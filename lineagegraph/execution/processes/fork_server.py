"""A process that forks one process for each attempt of a task, and tells how each ended.

It is forked itself before its parent has threads: a process with threads must not be forked, as
locks that another thread holds stay locked in the copy for ever.
"""

import gc
import os
import selectors
import signal
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import NoReturn

from lineagegraph.errors import RunError
from lineagegraph.process_environment.kernel import be_killed_first, end_with

STATUS = struct.Struct("=i")
NOT_FORKED = 1000  # plus the number of the system's error; exit codes are below it
# Makes an attempt, and returns whether it completed.
Attempt = Callable[[socket.socket], bool]


class ForkServer:
    """Starts the server, which ends with this process."""

    def __init__(self, attempt: Attempt) -> None:
        self._control, theirs = socket.socketpair()
        self._lock = Lock()
        own = os.getpid()
        if os.fork() == 0:
            end_with(own)
            self._control.close()
            _serve(theirs, attempt)
        theirs.close()

    def fork(self, connection: socket.socket, output: int, status: int) -> None:
        """Start a process that calls `attempt` with the connection, and prints to `output`.

        Its exit code, negative for a signal, is written to `status`; unless that is 0, the rest of
        its process group is killed first. If the system starts none, that is `NOT_FORKED` and its
        error. Closes all three.
        """
        try:
            with self._lock:
                socket.send_fds(self._control, [b"."], [connection.fileno(), output, status])
        except OSError:
            raise RunError("the process that starts tasks was killed") from None
        finally:
            connection.close()
            os.close(output)
            os.close(status)

    def close(self) -> None:
        """End the server and the processes that it started."""
        self._control.close()


def _serve(control: socket.socket, attempt: Attempt) -> NoReturn:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    # Forks share the memory of objects that no collection touches.
    gc.freeze()
    wakeups = _wakeups()
    statuses: dict[int, int] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        selector.register(wakeups, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is wakeups:
                    with suppress(BlockingIOError):
                        wakeups.recv(4096)
                    _tell_ends(statuses)
                else:
                    _fork(control, attempt, statuses)


def _wakeups() -> socket.socket:
    """Return a socket that is readable after the end of a child."""
    reading, writing = socket.socketpair()
    reading.setblocking(False)
    writing.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing.detach(), warn_on_full_buffer=False)
    return reading


def _fork(control: socket.socket, attempt: Attempt, statuses: dict[int, int]) -> None:
    _, fds, _, _ = socket.recv_fds(control, 1, 3)
    if not fds:
        os._exit(0)
    connection, output, status = fds
    own = os.getpid()
    try:
        pid = os.fork()
    except OSError as error:
        # The other tasks go on, and this one may be tried again.
        os.write(status, STATUS.pack(NOT_FORKED + (error.errno or 0)))
        for one in fds:
            os.close(one)
        return
    if pid == 0:
        end_with(own)
        control.close()
        for one in (status, *statuses.values()):
            os.close(one)
        _attempt(connection, output, attempt)
    os.close(connection)
    os.close(output)
    statuses[pid] = status


def _attempt(connection: int, output: int, attempt: Attempt) -> NoReturn:
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    # In the session of the worker, whose programs end with it.
    os.setpgid(0, 0)
    be_killed_first()
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    completed = attempt(socket.socket(fileno=connection))
    # Threads that the user's code left behind must not keep the process.
    os._exit(0 if completed else 1)


def _tell_ends(statuses: dict[int, int]) -> None:
    with suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_status:
                # Its group is its own until it is waited for: no other process has its pid.
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(ended.si_pid, signal.SIGKILL)
            _, status = os.waitpid(ended.si_pid, 0)
            descriptor = statuses.pop(ended.si_pid)
            with suppress(OSError):
                os.write(descriptor, STATUS.pack(os.waitstatus_to_exitcode(status)))
            os.close(descriptor)
