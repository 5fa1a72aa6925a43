"""Where in a definition file something was said."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

_PACKAGE = Path(__file__).parents[1]
_HERE = tuple(f"{_PACKAGE / name}{os.sep}" for name in ("definitions", "execution", "daemon"))


@dataclass(frozen=True, slots=True)
class Origin:
    """A line of a file, and the file at whose import that line ran."""

    file: str
    line: int
    declared_in: str

    def __str__(self) -> str:
        return f"{shown(self.file)}:{self.line}"


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
