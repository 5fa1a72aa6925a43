"""Definition files on this host: find them, and compare them with those of the graph."""

import os
import socket
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lineagegraph.authoring.batch_files.recognise import SUFFIX, is_batch_file
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.project.root import find_root, is_own
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import definition_files, definition_paths
from lineagegraph.store.pipelines.definition_files import FileRow
from lineagegraph.store.pipelines.definition_paths import PathRow
from lineagegraph.text import storable


def find_definitions(path: Path) -> list[Path]:
    """Return a file itself, or a folder's batch files and Python with `lineagegraph` in it."""
    if path.is_file():
        return [path.resolve()]
    if not path.is_dir():
        raise NotFound(f"{path}: no such file or folder")
    folder = path.resolve()
    files = (
        Path(place, name)
        for place, names in walk_own(folder)
        for name in names
        if name.endswith((".py", SUFFIX))
    )
    return sorted(file for file in files if is_own(file, folder) and _is_definition(file))


def walk_own(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the folders that may have definitions, with the names of the files in them.

    Folders that cannot be listed, as those that are removed meanwhile, have no files.
    """
    for place, below, names in os.walk(folder):
        below[:] = [name for name in below if is_own(Path(place, name, "*"), folder)]
        yield place, names


def _is_definition(file: Path) -> bool:
    try:
        # A pipe would let the reader wait for ever.
        if not file.is_file():
            return False
        is_batch = file.suffix == SUFFIX
        return is_batch_file(file) if is_batch else b"lineagegraph" in file.read_bytes()
    except FileNotFoundError:
        return False
    except OSError:
        # Whoever reads it is told why that is not possible.
        return True


@cache
def this_host() -> str:
    """Return the name of this machine."""
    return socket.gethostname()


class DefinitionFile(NamedTuple):
    """A file to read; `row` is the graph's record of it.

    `nearest` is the synced path through which it is read, if that is below the one being read.
    """

    file: Path
    root: Path
    row: FileRow | None
    nearest: PathRow | None = None

    @property
    def path(self) -> str:
        """The relative path, as it is shown."""
        return str(self.file.relative_to(self.root))

    @property
    def key(self) -> str:
        """The key of its node."""
        return canonical_hash(["definition file", this_host(), str(self.root), self.path])

    def under(self, settings: Settings) -> Settings:
        """Return the settings to read it with, of which the nearest synced path has defaults."""
        return settings_of(self.nearest, settings) if self.nearest else settings

    def settings(self, settings: Settings) -> Settings:
        """Return settings with the defaults of the last reading."""
        return settings_of(self.row, settings) if self.row and self.row.namespace else settings


def settings_of(row: FileRow | PathRow, settings: Settings) -> Settings:
    """Return settings with the defaults under which a file or path was read last."""
    defaults = {"namespace": row.namespace, "zone": row.zone, "application": row.application}
    return settings.model_copy(update=defaults)


def to_definition_file(row: FileRow) -> DefinitionFile:
    """Return a file that the graph knows."""
    return DefinitionFile(Path(row.file), Path(row.root), row)


def path_key(path: Path) -> str:
    """Return the key of a path that definitions are read from."""
    return canonical_hash(["definition path", this_host(), str(path)])


def folder_identity(path: Path) -> str | None:
    """Return device and inode of a folder: they change if another disk is mounted there."""
    found = path.stat()
    return f"{found.st_dev}:{found.st_ino}" if path.is_dir() else None


class PathMarks(NamedTuple):
    """The paths of this host that are read, and those that were forgotten."""

    read: frozenset[Path]
    forgotten: frozenset[Path]

    def with_read(self, path: Path) -> "PathMarks":
        """Return the marks as they are when a path is synced."""
        return PathMarks(self.read | {path}, self.forgotten - {path})

    def is_forgotten(self, path: Path) -> bool:
        """Return whether a path was forgotten: the nearest mark at or above it decides."""
        marked = self.read | self.forgotten
        nearest = next((one for one in (path, *path.parents) if one in marked), None)
        return nearest in self.forgotten


def path_marks(tx: Transaction) -> PathMarks:
    """Return the marks of this host's paths."""
    rows = definition_paths.list_paths(tx, host=this_host())
    forgotten = definition_paths.list_forgotten(tx, host=this_host())
    return PathMarks(frozenset(Path(row.path) for row in rows), frozenset(map(Path, forgotten)))


class FoundFiles(NamedTuple):
    """Files to read, files that are gone or forgotten, and the fault that keeps them unknown.

    `misnamed` has a fault for each file that cannot be read because of its name.
    """

    targets: list[DefinitionFile]
    gone: list[DefinitionFile]
    fault: str | None = None
    forgotten: tuple[Path, ...] = ()
    misnamed: tuple[str, ...] = ()

    @property
    def faults(self) -> list[str]:
        """All faults of the path."""
        return [self.fault] if self.fault else list(self.misnamed)


def find_targets(
    graph: Graph, path: Path, marks: PathMarks, nested: Sequence[PathRow] = ()
) -> FoundFiles:
    """Compare the files at a path that are not forgotten with those that the graph knows.

    Files of `nested` paths keep the defaults and the project's root of these.
    A folder that is missing as a whole, such as a disk that is not mounted, withdraws no
    definition. Raises `NotFound` if there is nothing and the graph knows nothing there.
    """
    known = find_known(graph, path)
    if not path.exists() and not _was_file(path, known):
        return _missing(graph, path, known)
    if path.is_dir() and known and not any(path.iterdir()) and _is_another(graph, path):
        return FoundFiles([], [], f"{path}: is empty, as if a disk were not mounted: {_ADVICE}")
    found = find_definitions(path) if path.exists() else []
    files = [file for file in found if _is_storable(file)]
    places = _Places(path, nested)
    # A file whose root has changed counts as gone under the old one.
    same = {one.file: one for one in known if places.has(one)}
    files += [file for file in same if file not in files and may_be_file(file)]
    forgotten = tuple(file for file in files if marks.is_forgotten(file))
    targets = [places.place(file, same.get(file)) for file in files if file not in forgotten]
    kept = {target.key for target in targets}
    gone = [one for one in known if one.key not in kept]
    misnamed = tuple(_misnamed(file) for file in found if not _is_storable(file))
    return FoundFiles(targets, gone, None, forgotten, misnamed)


class _Places:
    """The path that is read, and the synced paths below it."""

    def __init__(self, path: Path, nested: Sequence[PathRow]) -> None:
        self._root = find_root(path)
        self._nested = {Path(row.path): (row, find_root(Path(row.path))) for row in nested}

    def has(self, known: DefinitionFile) -> bool:
        """Return whether a file still has its root."""
        _, root = self._nearest(known.file)
        return known.root == root or not known.file.is_relative_to(root)

    def place(self, file: Path, known: DefinitionFile | None) -> DefinitionFile:
        """Return a file as the nearest path has it read."""
        nearest, root = self._nearest(file)
        return (known or DefinitionFile(file, root, None))._replace(nearest=nearest)

    def _nearest(self, file: Path) -> tuple[PathRow | None, Path]:
        found = (self._nested[one] for one in (file, *file.parents) if one in self._nested)
        return next(found, (None, self._root))


def _is_storable(file: Path) -> bool:
    return storable(str(file)) == str(file)


def _misnamed(file: Path) -> str:
    return f"{storable(str(file))}: the name is not UTF-8: rename it"


def may_be_file(file: Path) -> bool:
    """Return whether a path is a file, or is in a folder that cannot be read."""
    try:
        return file.is_file()
    except OSError:
        # Its folder cannot be read: that does not withdraw what the file states.
        return True


def find_known(graph: Graph, path: Path) -> list[DefinitionFile]:
    """Return the files at a path or below it that the graph knows."""
    rows = graph.read(definition_files.list_files, host=this_host(), path=str(path))
    return [to_definition_file(row) for row in rows]


def _was_file(path: Path, known: list[DefinitionFile]) -> bool:
    """Return whether a path was a single file, whose folder still exists."""
    was = any(target.file == path and target.root.is_dir() for target in known)
    return was and path.parent.is_dir()


def _missing(graph: Graph, path: Path, known: list[DefinitionFile]) -> FoundFiles:
    paths = graph.read(definition_paths.list_paths, host=this_host())
    if not known and str(path) not in {row.path for row in paths}:
        raise NotFound(f"{path}: no such file or folder")
    return FoundFiles([], [], f"{path}: is missing: {_ADVICE}")


def _is_another(graph: Graph, path: Path) -> bool:
    paths = graph.read(definition_paths.list_paths, host=this_host())
    was = {row.path: row.folder for row in paths}.get(str(path))
    return was is not None and was != folder_identity(path)


_ADVICE = (
    "its pipelines stay as they are; restore it, or withdraw them with `lineagegraph sync "
    "--forget PATH`"
)
