"""Origins: the places in definition files that state something."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

_PACKAGE = Path(__file__).parents[1]
_OWN = ("authoring", "code", "reading", "execution", "worker", "client")
_HERE = tuple(f"{_PACKAGE / name}{os.sep}" for name in _OWN)


@dataclass(frozen=True, slots=True)
class Origin:
    """A line of a file, and the definition file whose import ran that line."""

    file: str
    line: int
    #: the definition file whose import ran the line
    declared_in: str
    #: JSON files only
    column: int | None = None
    #: path of the JSON value; empty for Python files
    path: str = ""
    #: origins of the value's parts, by their names in Python; JSON files only
    parts: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)

    def at(self, part: str) -> Origin:
        """Return the origin of a part, or this one if that is unknown."""
        return self.parts.get(part, self)

    def __str__(self) -> str:
        column = "" if self.column is None else f":{self.column}"
        path = f": {self.path}" if self.path else ""
        return f"{shown(self.file)}:{self.line}{column}{path}"


def caller() -> Origin:
    """Return the line of the user's code that called into the package."""
    frames = list(_frames())
    modules = [frame for frame in frames if frame.f_code.co_name == "<module>"]
    return Origin(
        file=frames[0].f_code.co_filename,
        line=frames[0].f_lineno,
        declared_in=(modules or frames)[0].f_code.co_filename,
    )


def shown(file: str) -> str:
    """Return a path relative to the current folder, if it is below that."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_HERE):
            yield frame
        frame = frame.f_back
