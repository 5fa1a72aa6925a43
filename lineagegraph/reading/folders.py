"""Which folders to watch, so that every change of a definition is heard of."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from lineagegraph.authoring.project import FOREIGN, is_own
from lineagegraph.graph import Graph
from lineagegraph.reading.places import this_host
from lineagegraph.store.pipelines import definition_files


def watched_folders(graph: Graph, paths: Iterable[Path]) -> set[str]:
    """Return the folders of definition files and of what they read, and where there may be new."""
    return {folder for path in paths for folder in _folders(graph, path) if Path(folder).is_dir()}


def topmost(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that are not below others of them."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(above) for above in kept):
            kept.append(path)
    return kept


def _folders(graph: Graph, path: Path) -> Iterator[str]:
    yield str(path if path.is_dir() else path.parent)
    for folder, below, _ in os.walk(path):
        below[:] = [name for name in below if _may_have_definitions(Path(folder, name), path)]
        yield folder
    for row in graph.read(definition_files.list_files, host=this_host(), path=str(path)):
        yield from (str(Path(file).parent) for file in row.files or ())
        yield from row.folders or ()


def _may_have_definitions(folder: Path, path: Path) -> bool:
    name = folder.name
    return name not in FOREIGN and not (folder / "pyvenv.cfg").exists() and is_own(folder, path)
