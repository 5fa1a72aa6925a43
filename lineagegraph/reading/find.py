"""What there is to read at a path, and what was there and is gone."""

from pathlib import Path
from typing import NamedTuple

from lineagegraph.authoring.project import find_root
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.reading.find_definitions import find_definitions
from lineagegraph.reading.places import Target, identity, known_target, this_host
from lineagegraph.store.pipelines import definition_files, definition_paths


class Found(NamedTuple):
    """Files to read, files that are gone, and why nothing can be said of any."""

    targets: list[Target]
    gone: list[Target]
    fault: str | None = None


def find_targets(graph: Graph, path: Path) -> Found:
    """Look at a path and what is known below it.

    A folder that is missing as a whole, such as a disk that is not mounted, says nothing about the
    definitions in it. Raises `NotFound` where nothing is and nothing was.
    """
    known = find_known(graph, path)
    if not path.exists() and not _was_file(path, known):
        return _missing(graph, path, known)
    if path.is_dir() and known and not any(path.iterdir()) and _is_another(graph, path):
        return Found([], [], f"{path}: is empty, as a disk that is not mounted: {_ADVICE}")
    files = find_definitions(path) if path.exists() else []
    root = find_root(path)
    # Of a file whose root is another now, what was known is gone.
    same = {one.file: one for one in known if one.root == root or not one.file.is_relative_to(root)}
    files += [file for file in same if file not in files and file.exists()]
    targets = [same.get(file) or Target(file, root, None) for file in files]
    kept = {target.key for target in targets}
    return Found(targets, [one for one in known if one.key not in kept])


def find_known(graph: Graph, path: Path) -> list[Target]:
    """Return the files at a path or below it that the graph knows."""
    rows = graph.read(definition_files.list_files, host=this_host(), path=str(path))
    return [known_target(row) for row in rows]


def _was_file(path: Path, known: list[Target]) -> bool:
    """Say whether a path was a single file, whose folder is still there."""
    was = any(target.file == path and target.root.is_dir() for target in known)
    return was and path.parent.is_dir()


def _missing(graph: Graph, path: Path, known: list[Target]) -> Found:
    paths = graph.read(definition_paths.list_paths, host=this_host())
    if not known and str(path) not in {row.path for row in paths}:
        raise NotFound(f"{path}: no such file or folder")
    return Found([], [], f"{path}: is not there: {_ADVICE}")


def _is_another(graph: Graph, path: Path) -> bool:
    paths = graph.read(definition_paths.list_paths, host=this_host())
    was = {row.path: row.folder for row in paths}.get(str(path))
    return was is not None and was != identity(path)


_ADVICE = (
    "its pipelines stay as they are; bring it back, or withdraw them by `lineagegraph sync "
    "--forget PATH`"
)
