"""The process that imports definition files: one alone, or several in turn that are harmless."""

import linecache
import os
import resource
import socket
import sys
import threading
import zoneinfo
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from pkgutil import get_importer
from typing import NamedTuple, NoReturn

from lineagegraph.model.typed import decode_msgpack
from lineagegraph.project.root import module_name
from lineagegraph.reading.child import FileImport
from lineagegraph.reading.frames import receive
from lineagegraph.reading.harmless import is_harmless
from lineagegraph.reading.importer import Answer, ImportedFile, ImportRequest

_MOST_MEMORY = 64_000_000
#: sent when the process may import another file
READY = b"+"


class Ends(NamedTuple):
    """The writing ends of the pipes of one import."""

    answer: int
    output: int
    trace: int
    inputs: int

    def close(self) -> None:
        """Close them."""
        for fd in self:
            os.close(fd)


def import_files(request: ImportRequest, ends: Ends, control: socket.socket) -> NoReturn:
    """Import a file, and those that `control` brings while none leaves a trace; end the process.

    It does not wait for threads. The imports run in the root folder, with the environment of the
    requesting process. Only the first file may be refused: others are left without an answer, and
    imported again by a process of their own.
    """
    me, most = os.getpid(), _peak_memory() + _MOST_MEMORY
    _enter(request)
    one = _Import(request, ends)
    if not one.is_harmless:
        control.close()
    answer = one.run()
    while os.getpid() == me:
        one.write(answer)
        if not one.is_forgotten(answer) or _peak_memory() > most:
            break
        control.sendall(READY)
        ends.close()
        request, ends = _receive(control)
        one = _Import(request, ends)
        if not one.is_harmless or not one.is_unchanged(answer := one.run()):
            break
    os._exit(0)


def _receive(control: socket.socket) -> tuple[ImportRequest, Ends]:
    _, fds, _, _ = socket.recv_fds(control, 1, len(Ends._fields))
    if not fds:
        os._exit(0)
    return decode_msgpack(receive(control), into=ImportRequest), Ends(*fds)


def _peak_memory() -> int:
    """Return the most memory that this process has had at a time, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _enter(request: ImportRequest) -> None:
    os.chdir(request.root)
    os.environ.clear()
    os.environ.update(request.environment)
    # Python takes a .pyc for current if size and second of the change agree, so write none.
    sys.dont_write_bytecode = True
    sys.path.insert(0, request.root)


class _Import:
    """One import in this process."""

    def __init__(self, request: ImportRequest, ends: Ends) -> None:
        self._request = request
        self._ends = ends
        os.dup2(ends.output, 1)
        os.dup2(ends.output, 2)
        sys.argv = [request.file]
        self._folders = set(sys.path_importer_cache)
        self._before = _state()
        self._sources = _harmless_sources(request)
        self._child = FileImport(request, ends.answer, self._tell)

    @property
    def is_harmless(self) -> bool:
        """Whether the import will change nothing but its own modules."""
        return bool(self._sources)

    def run(self) -> Answer:
        """Import the file, and return its declarations or the error."""
        return self._child.answer(self._ends.trace)

    def _tell(self, kind: str, name: str) -> None:
        """Tell of an input while the import runs: it may be killed at any time."""
        with suppress(OSError):
            os.write(self._ends.inputs, os.fsencode(f"{kind}{name}\0"))

    def write(self, answer: Answer) -> None:
        """Write the answer."""
        self._child.write(answer)

    def is_unchanged(self, answer: Answer) -> bool:
        """Return whether the harmless sources were imported, and nothing that was written since."""
        if not self._sources or not isinstance(answer, ImportedFile):
            return False
        with suppress(OSError):
            return all(Path(one).read_bytes() == text for one, text in self._sources.items())
        return False

    def is_forgotten(self, answer: Answer) -> bool:
        """Forget the import, and return whether the process is as it was before."""
        if not self.is_unchanged(answer) or not _forget_zones(self._child.opened):
            return False
        for name in _names(self._request):
            sys.modules.pop(name, None)
        # Fewer seconds may pass than the file system tells apart: its lists of names may be old.
        for folder in sys.path_importer_cache.keys() - self._folders:
            del sys.path_importer_cache[folder]
        linecache.clearcache()
        return _state() == self._before


def _state() -> tuple[object, ...]:
    """Return what imports could change; a list of the modules would copy the memory of all."""
    modules = len(sys.modules), next(reversed(sys.modules))
    paths = Path.cwd(), *sys.path, *map(id, (*sys.meta_path, *sys.path_hooks))
    return dict(os.environ), modules, paths, threading.active_count(), sys.stdout, sys.stderr


def _forget_zones(opened: set[str] | None) -> bool:
    """Forget time zones that were read, as they are inputs of each file that uses them.

    Returns False if the import read anything else.
    """
    if opened is None:
        return False
    folders = tuple(f"{os.path.realpath(one)}{os.sep}" for one in zoneinfo.TZPATH)
    if opened:
        zoneinfo.ZoneInfo.clear_cache()
        # All processes have it from the rehearsal.
        zoneinfo.ZoneInfo("UTC")
    return all(one.startswith(folders) for one in opened)


def _harmless_sources(request: ImportRequest) -> Mapping[str, bytes]:
    """Return the sources that the import executes, by path; none if one may do harm."""
    try:
        files = [Path(spec.origin) for spec in _specs(request) if spec.origin is not None]
        found = {str(file): file.read_bytes() for file in files}
        return found if request.file in found and all(map(is_harmless, found.values())) else {}
    except Exception:
        # Whatever it is, the import will report it.
        return {}


def _specs(request: ImportRequest) -> Iterator[ModuleSpec]:
    """Yield what Python will load for the file: the packages around it, and its module.

    Raises `ImportError` for any other than a source of the project.
    """
    inside: str | None = None
    for name in _names(request):
        folder = str(Path(request.root, *name.split(".")))
        spec = _find_inside(name, inside) if inside else _find(name)
        if spec is None:
            raise ImportError(name)
        if spec.origin is not None:
            _check_source(spec, (request.file, f"{folder}{os.sep}__init__.py"))
        elif list(spec.submodule_search_locations or ()) != [folder]:
            # A package without a source may have parts in several folders.
            raise ImportError(name)
        yield spec
        inside = folder


def _check_source(spec: ModuleSpec, files: Collection[str]) -> None:
    """Raise `ImportError` unless a module is loaded from one of these files, as it is there."""
    is_source = spec.origin in files and type(spec.loader) is SourceFileLoader
    # Bytecode may be of another source, and where a link leads to is asked once in a process.
    if not is_source or Path(spec.cached or "/").exists() or Path(spec.origin or "").is_symlink():
        raise ImportError(spec.name)


def _find(name: str) -> ModuleSpec | None:
    """Find a module that is not loaded, and that no library has: Python might keep it for that."""
    root, *others = sys.path
    libraries = [one for one in others if one != root]
    if name in sys.modules or PathFinder.find_spec(name, libraries):
        return None
    return find_spec(name)


def _find_inside(name: str, folder: str) -> ModuleSpec | None:
    """Find a module in a package that is not loaded yet."""
    finder = get_importer(folder)
    return finder.find_spec(name) if finder else None


def _names(request: ImportRequest) -> list[str]:
    parts = module_name(Path(request.file), Path(request.root)).split(".")
    return list(accumulate(parts, "{}.{}".format))
