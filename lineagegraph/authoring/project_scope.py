"""Code that is in no file of a project: a notebook's cells, and what was typed at a prompt."""

import hashlib
import linecache
import marshal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from types import CodeType, ModuleType

from lineagegraph.authoring.project import is_own


class Cells:
    """Names cells by their content, and so keeps them: the same cell has the same name."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}

    def path(self, code: CodeType) -> str | None:
        """Return where the source of code is kept, if there is one and it is in no file."""
        if Path(code.co_filename).is_file():
            return None
        source = "".join(linecache.getlines(code.co_filename))
        if source:
            return self._keep(source.encode(), "py")
        self._keep(marshal.dumps(_bare(code), 2), "code")
        return None

    def _keep(self, content: bytes, kind: str) -> str:
        path = f"cells/{hashlib.sha256(content).hexdigest()[:16]}.{kind}"
        self.contents[path] = content
        return path


def _bare(code: CodeType) -> CodeType:
    """Return code without where it was; not all Pythons compile the same from the same text."""
    constants = tuple(_bare(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=constants)


PROGRAM = "lineagegraph"


@dataclass(frozen=True)
class Own:
    """A project in this process; `files` are the relative paths that are kept with it.

    `cells` keeps code that is in no file, `seen` the files of the project whose code was met.
    """

    root: Path
    files: frozenset[str] = frozenset()
    cells: Cells | None = None
    seen: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, root: Path, files: Iterable[Path]) -> "Own":
        """Return a project of which these files are kept."""
        return cls(root, frozenset(file.relative_to(root).as_posix() for file in files))

    def modules(self) -> Iterator[ModuleType]:
        """Yield the modules that are the project's."""
        for module in list(sys.modules.values()):
            if isinstance(module, ModuleType) and self.has(module):
                yield module

    def has(self, module: ModuleType) -> bool:
        """Say whether a module is the project's; what a person typed in is."""
        name = module.__name__
        if name == "__main__":
            return not _is_program(module)
        if name.partition(".")[0] == PROGRAM:
            return False
        inside = (file for file in _places(module) if file.startswith(str(self.root)))
        return any(is_own(Path(file), self.root) for file in inside)

    def path(self, file: str) -> str | None:
        """Return a file's path in the project, if it is below the root."""
        path = PurePath(file)
        inside = path.is_absolute() and path.is_relative_to(self.root)
        return path.relative_to(self.root).as_posix() if inside else None

    def source(self, code: CodeType) -> str | None:
        """Return the path under which the source of code is kept."""
        path = self.path(code.co_filename)
        if path is not None:
            self.seen.add(path)
        elif self.cells:
            return self.cells.path(code)
        return path

    def kept(self, place: str) -> str | None:
        """Return a place's path in the project, if files there or below are kept."""
        path = self.path(place)
        return path if path in self._kept else None

    @cached_property
    def _kept(self) -> set[str]:
        folders = (parent.as_posix() for file in self.files for parent in PurePath(file).parents)
        return {*self.files, *folders} if self.root.name else set()


def _places(module: ModuleType) -> list[str]:
    file = getattr(module, "__file__", None)
    return [file] if file else [str(place) for place in getattr(module, "__path__", ())]


def _is_program(module: ModuleType) -> bool:
    spec = getattr(module, "__spec__", None)
    return spec is not None and spec.name.partition(".")[0] == PROGRAM
