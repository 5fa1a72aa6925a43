"""What is asked of the process that imports a definition file, and what it answers."""

from typing import Any

import msgspec

from lineagegraph.authoring.declared import FileStatement
from lineagegraph.code.archive import Source
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.task_code import TaskCode


class Request(msgspec.Struct, frozen=True, kw_only=True):
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


class Stated(msgspec.Struct, frozen=True):
    """A pipeline, the line of its file that states it, and the functions of its tasks.

    `parents` tells where each task names each job that it depends on.
    """

    pipeline: Pipeline
    line: int
    code: TaskCode | None = None
    parents: dict[str, dict[str, str]] = {}


class Read(msgspec.Struct, frozen=True, kw_only=True, tag="read"):
    """What the file declares; no source where it declares nothing.

    `unsteady` has a line for each place where it reads what no file says: a clock, the network.
    `variables` has the values of those that it asked for, None where one is not set.
    """

    stated: tuple[Stated, ...]
    source: Source | None
    inputs: Inputs
    statement: FileStatement = FileStatement()
    unsteady: tuple[str, ...] = ()
    variables: dict[str, Any] = {}


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """Why the file cannot be used; `error` names a class of `lineagegraph.errors`."""

    error: str
    message: str
    inputs: Inputs = Inputs()
    variables: dict[str, Any] = {}


Answer = Read | Refused
