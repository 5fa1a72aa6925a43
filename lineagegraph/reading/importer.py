"""Has definition files imported by processes that may do what they like."""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Lock
from typing import Any, Self

import msgspec

from lineagegraph.authoring.declared import FileStatement
from lineagegraph.code.archive import SourceArchive
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.task_code import TaskCode


class ImportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A file to import, below which root, and what it may take.

    `variables` is a JSON text that maps the names of all that are set to their values.
    """

    file: str
    root: str
    namespace: str
    zone: str
    seconds: float
    memory_bytes: int
    archive_bytes: int
    environment: dict[str, str]
    variables: str = "{}"

    @property
    def shown(self) -> str:
        """The file as it is named to people: below its root."""
        return self.file.removeprefix(f"{self.root}/")


class Inputs(msgspec.Struct, frozen=True):
    """What a file depends on, by absolute path: files that are read, folders that are listed."""

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


class StatedPipeline(msgspec.Struct, frozen=True):
    """A pipeline, the line of its file that states it, and the functions of its tasks.

    `parents` tells where each task names each job that it depends on.
    """

    pipeline: Pipeline
    line: int
    code: TaskCode | None = None
    parents: dict[str, dict[str, str]] = {}


class ImportedFile(msgspec.Struct, frozen=True, kw_only=True, tag="read"):
    """What the file declares; no source where it declares nothing.

    `unsteady` has a line for each place where it reads what no file says: a clock, the network.
    `variables` has the values of those that it asked for, None where one is not set.
    """

    stated: tuple[StatedPipeline, ...]
    source: SourceArchive | None
    inputs: Inputs
    statement: FileStatement = FileStatement()
    unsteady: tuple[str, ...] = ()
    variables: dict[str, Any] = {}


class ImportRefused(msgspec.Struct, frozen=True, tag="refused"):
    """Why the file cannot be used; `error` names a class of `lineagegraph.errors`."""

    error: str
    message: str
    inputs: Inputs = Inputs()
    variables: dict[str, Any] = {}


Answer = ImportedFile | ImportRefused


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

    def ask(self, request: ImportRequest) -> Answer:
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


def _ask(connection: socket.socket, request: ImportRequest) -> Answer | None:
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


def _refused(request: ImportRequest, what: str) -> ImportRefused:
    inputs = Inputs((request.file,))
    return ImportRefused(DefinitionError.__name__, f"{request.shown}:1: {what}", inputs)
