"""What the process that imports a definition file answers."""

from typing import Any

import msgspec

from lineagegraph.definitions.archive import Source
from lineagegraph.model.definition import Pipeline
from lineagegraph.model.task_code import TaskCode


class Stated(msgspec.Struct, frozen=True):
    """A pipeline, the line of its file that states it, and the functions of its tasks."""

    pipeline: Pipeline
    line: int
    code: TaskCode | None = None


class Read(msgspec.Struct, frozen=True, tag="read"):
    """What the file declares; no source where it declares nothing.

    `variables` has the values of those that it asked for, None where one is not set.
    """

    stated: tuple[Stated, ...]
    source: Source | None
    variables: dict[str, Any] = {}


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """Why the file cannot be used; `error` names a class of `lineagegraph.errors`."""

    error: str
    message: str
    variables: dict[str, Any] = {}


Answer = Read | Refused
