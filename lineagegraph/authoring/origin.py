"""Where in a definition file something was said."""

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
    """A line of a file, and the file at whose import that line ran.

    In JSON the column is known too, the path of what stands there, and where its parts are.
    """

    file: str
    line: int
    declared_in: str
    column: int | None = None
    path: str = ""
    parts: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)

    def at(self, part: str) -> Origin:
        """Return where a part of it was said, as far as that is known."""
        return self.parts.get(part, self)

    def __str__(self) -> str:
        column = "" if self.column is None else f":{self.column}"
        path = f": {self.path}" if self.path else ""
        return f"{shown(self.file)}:{self.line}{column}{path}"


def caller() -> Origin:
    """Return the line that is running of the file whose author called us."""
    frames = list(_frames())
    modules = [frame for frame in frames if frame.f_code.co_name == "<module>"]
    return Origin(
        file=frames[0].f_code.co_filename,
        line=frames[0].f_lineno,
        declared_in=(modules or frames)[0].f_code.co_filename,
    )


def shown(file: str) -> str:
    """Return a path as a person here would write it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_HERE):
            yield frame
        frame = frame.f_back
