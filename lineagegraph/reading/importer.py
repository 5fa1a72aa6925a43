"""Import definition files in processes that may crash, hang or exit."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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
from lineagegraph.reading.frames import receive, send
from lineagegraph.text import storable


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

    def storable(self) -> "Inputs":
        """Return the inputs without those whose names are not Unicode."""
        files, folders = (
            tuple(one for one in each if storable(one) == one)
            for each in (self.files, self.folders)
        )
        return Inputs(files, folders)


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


_START_SECONDS = 60.0
_GRACE_SECONDS = 30.0


class _ImportKilled(Exception):
    """The process of an import has ended without an answer."""


class Importer:
    """A client of the fork server, which it starts on the first request and ends on close.

    It may be used by several threads at once.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._server: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        #: connections to processes that import nothing now
        self._idle: list[socket.socket] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def ask(self, request: ImportRequest) -> Answer:
        """Return the declarations of a file, or the reason that it cannot be used."""
        for _ in range(2):
            try:
                with self._connection() as connection:
                    return _ask(connection, request)
            except ConnectionError:
                # A file has ended the server: the next request starts it again.
                self.close()
            except _ImportKilled:
                break
        return _refused(request)

    def close(self) -> None:
        """End the server; running imports are lost."""
        with self._lock:
            if self._control is not None and self._server is not None:
                self._control.close()
                self._server.kill()
                self._server.wait()
            self._control = self._server = None
            for connection in self._idle:
                connection.close()
            self._idle = []

    @contextmanager
    def _connection(self) -> Iterator[socket.socket]:
        """Lend a connection, which is used again unless an import fails."""
        with self._lock:
            connection = self._idle.pop() if self._idle else self._connect()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        with self._lock:
            self._idle.append(connection)

    def _connect(self) -> socket.socket:
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


def _ask(connection: socket.socket, request: ImportRequest) -> Answer:
    """Send a request and return the answer.

    Raises `ConnectionError` if the server ended before the import began.
    """
    connection.settimeout(_START_SECONDS)
    send(connection, msgspec.msgpack.encode(request))
    if not (seconds := receive(connection)):
        raise ConnectionError
    connection.settimeout(float(seconds) + _GRACE_SECONDS)
    try:
        answer: Answer = decode_msgpack(receive(connection), into=Answer)
    except (msgspec.DecodeError, OSError) as error:
        raise _ImportKilled from error
    return answer


def _refused(request: ImportRequest) -> ImportRefused:
    message = f"{request.shown}: the process that imports it was killed"
    return ImportRefused(DefinitionError.__name__, message, Inputs((request.file,)))
