"""Import definition files in processes that may crash, hang or exit."""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Lock
from typing import Any, Self

import msgspec

from lineagegraph.authoring.declared import FileStatement
from lineagegraph.code.closure import CodeHash
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.model.typed import decode_msgpack
from lineagegraph.process_environment.chosen import BASE, choose
from lineagegraph.project.archive import SourceArchive


class ImportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A file to import, with the limits for it."""

    #: absolute path of the file
    file: str
    #: absolute path of its project
    root: str
    #: namespace of definitions that give none
    namespace: str
    #: time zone of definitions that give none
    zone: str
    #: limit for the import in seconds, unless the file has its own
    seconds: float
    #: limit for its memory in bytes
    memory_bytes: int
    #: limit for the packed source in bytes
    archive_bytes: int
    #: environment variables of the import
    environment: dict[str, str]
    #: JSON text that maps the names of all set variables to their values
    variables: str = "{}"

    @property
    def shown(self) -> str:
        """The path relative to the root, as it is shown."""
        return self.file.removeprefix(f"{self.root}/")


class Inputs(msgspec.Struct, frozen=True):
    """The inputs of a file, by absolute path: files that it reads, folders that it lists."""

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


class StatedPipeline(msgspec.Struct, frozen=True):
    """A pipeline, its line in the file, the hash of its code, and the functions of its tasks.

    `parents` has the place of each dependency, by task and job.
    """

    pipeline: Pipeline
    line: int
    hashed: CodeHash
    code: TaskCode | None = None
    parents: dict[str, dict[str, str]] = {}


class ImportedFile(msgspec.Struct, frozen=True, kw_only=True, tag="read"):
    """The declarations of a file; without a source if there are none.

    `unsteady` has a line for each place that reads a clock, the network or the like. `variables`
    has the values of those that it read, None if not set.
    """

    stated: tuple[StatedPipeline, ...]
    source: SourceArchive | None
    inputs: Inputs
    statement: FileStatement = FileStatement()
    unsteady: tuple[str, ...] = ()
    variables: dict[str, Any] = {}


class ImportRefused(msgspec.Struct, frozen=True, tag="refused"):
    """The reason that a file cannot be used; `error` names a class of `lineagegraph.errors`."""

    error: str
    message: str
    inputs: Inputs = Inputs()
    variables: dict[str, Any] = {}


Answer = ImportedFile | ImportRefused


HEAD = 8
_START_SECONDS = 60.0
_GRACE_SECONDS = 30.0


class Importer:
    """A client of the fork server, which it starts on the first request and ends on close.

    It may be used by several threads at once.
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
        """Return the declarations of a file, or the reason that it cannot be used."""
        for _ in range(2):
            with suppress(ConnectionError), self._connect() as connection:
                if answer := _ask(connection, request):
                    return answer
            # A file has ended the server: the next request starts it again.
            self.close()
        return _refused(request, "the process that imports it was killed")

    def close(self) -> None:
        """End the server; running imports are lost."""
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
                env=choose(os.environ, BASE) | {"PYTHONHASHSEED": "0"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )


def _ask(connection: socket.socket, request: ImportRequest) -> Answer | None:
    """Send a request and return the answer; None if the server ended before it began."""
    content = msgspec.msgpack.encode(request)
    connection.settimeout(_START_SECONDS)
    connection.sendall(len(content).to_bytes(HEAD) + content)
    with connection.makefile("rb") as stream:
        seconds = stream.readline()
        if not seconds:
            return None
        connection.settimeout(float(seconds) + _GRACE_SECONDS)
        try:
            answer: Answer = decode_msgpack(stream.read(), into=Answer)
        except (msgspec.DecodeError, OSError):
            return _refused(request, "the process that imports it was killed")
    return answer


def _refused(request: ImportRequest, reason: str) -> ImportRefused:
    inputs = Inputs((request.file,))
    return ImportRefused(DefinitionError.__name__, f"{request.shown}: {reason}", inputs)
