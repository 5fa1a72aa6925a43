"""Has definition files imported by processes that may do what they like."""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Lock
from typing import Self

import msgspec

from lineagegraph.errors import DefinitionError
from lineagegraph.reading.answer import Answer, Inputs, Refused, Request

HEAD = 8
_START_SECONDS = 60.0
_GRACE_SECONDS = 30.0


class Importer:
    """Starts a fork server when it is first asked, and ends it when it is closed.

    It may be asked by several threads at once.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._server: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def ask(self, request: Request) -> Answer:
        """Return what a file declares, or why it cannot be used."""
        for _ in range(2):
            with suppress(ConnectionError), self._connect() as connection:
                if answer := _ask(connection, request):
                    return answer
            # Some file has ended the server: the next one starts it again.
            self.close()
        return _refused(request, "the process that imports it was killed")

    def close(self) -> None:
        """End the server; files that are being imported are given up."""
        with self._lock:
            if self._control is not None and self._server is not None:
                self._control.close()
                self._server.kill()
                self._server.wait()
            self._control = self._server = None

    def _connect(self) -> socket.socket:
        with self._lock:
            if self._control is None:
                self._start()
            assert self._control is not None
            mine, theirs = socket.socketpair()
            with theirs:
                try:
                    socket.send_fds(self._control, [b"."], [theirs.fileno()])
                except OSError:
                    mine.close()
                    raise
            return mine

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            # -P: a json.py in the current folder must not become that process's json.
            self._server = subprocess.Popen(
                [sys.executable, "-P", "-m", f"{__package__}.fork_server", str(theirs.fileno())],
                env=os.environ | {"PYTHONHASHSEED": "0"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )


def _ask(connection: socket.socket, request: Request) -> Answer | None:
    """Return what is answered; None where nobody began to."""
    content = msgspec.msgpack.encode(request)
    connection.settimeout(_START_SECONDS)
    connection.sendall(len(content).to_bytes(HEAD) + content)
    with connection.makefile("rb") as stream:
        seconds = stream.readline()
        if not seconds:
            return None
        connection.settimeout(float(seconds) + _GRACE_SECONDS)
        try:
            answer: Answer = msgspec.msgpack.decode(stream.read(), type=Answer)
        except (msgspec.DecodeError, OSError):
            return _refused(request, "the process that imports it was killed")
    return answer


def _refused(request: Request, what: str) -> Refused:
    inputs = Inputs((request.file,))
    return Refused(DefinitionError.__name__, f"{request.shown}:1: {what}", inputs)
