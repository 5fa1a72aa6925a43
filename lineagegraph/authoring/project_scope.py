"""The scope of a project: its loaded modules, and code from notebook cells and prompts."""

import hashlib
import linecache
import marshal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from types import CodeType, ModuleType

from lineagegraph.project.loaded import loaded_modules
from lineagegraph.project.root import is_own


class NotebookCells:
    """The cells of a notebook, named by a hash of their content."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}

    def path(self, code: CodeType) -> str | None:
        """Return the path of the cell with the source of code, None if there is none."""
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
    """Return code without its file and lines, to stand for code without a source."""
    constants = tuple(_bare(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=constants)


PROGRAM = "lineagegraph"


@dataclass(frozen=True)
class ProjectScope:
    """A project in this process.

    `files` are the relative paths that a version keeps, `cells` collects code that is in no file,
    and `seen` collects the paths of files whose code was used.
    """

    root: Path
    files: frozenset[str] = frozenset()
    cells: NotebookCells | None = None
    seen: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, root: Path, files: Iterable[Path]) -> "ProjectScope":
        """Return a project with absolute paths of the files that a version keeps."""
        return cls(root, frozenset(file.relative_to(root).as_posix() for file in files))

    def modules(self) -> Iterator[ModuleType]:
        """Yield the loaded modules of the project."""
        yield from filter(self.has, loaded_modules())

    def has(self, module: ModuleType) -> bool:
        """Return whether a module belongs to the project; typed-in code does."""
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
        """Return the path under which a version keeps the source of code."""
        path = self.path(code.co_filename)
        if path is not None:
            self.seen.add(path)
        elif self.cells:
            return self.cells.path(code)
        return path

    def kept(self, place: str) -> str | None:
        """Return the relative path of a file or folder, if a version keeps files there or below."""
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
