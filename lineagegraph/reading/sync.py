"""Definitions at a path, into the graph; and out of it."""

from collections.abc import Callable
from pathlib import Path

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.reading.find import find_known, find_targets
from lineagegraph.reading.places import identity, path_key, this_host
from lineagegraph.reading.reader import Progress, Reader, Wanted
from lineagegraph.reading.result import SyncResult
from lineagegraph.reading.write_file import withdraw_file
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import definition_files, definition_paths


def sync_path(
    graph: Graph,
    settings: Settings,
    path: Path,
    progress: Progress = lambda done, total: None,
) -> SyncResult:
    """Read the definitions at a path; one that cannot be read keeps none of the others back.

    Pipelines whose file is gone are withdrawn. Daemons of this host read the path from now on.
    Raises `NotFound` where nothing is and nothing was.
    """
    with Reader(graph) as reader:
        return read_path(reader, settings, path.resolve(), progress=progress)


def read_path(
    reader: Reader,
    settings: Settings,
    path: Path,
    wanted: Wanted = Wanted(),  # noqa: B008
    progress: Progress = lambda done, total: None,
    settle: Callable[[], object] = lambda: None,
) -> SyncResult:
    """Read the definitions at a path that changed or are `wanted`, as `sync_path` does.

    Where files seem to be gone, `settle` may wait for what is being replaced.
    """
    found = find_targets(reader.graph, path)
    if found.gone:
        settle()
        found = find_targets(reader.graph, path)
    reader.graph.write(_keep_path, path, settings, found.fault)
    if found.fault:
        return SyncResult(failures=[found.fault])
    result = reader.read(found.targets, settings, wanted, progress)
    for target in found.gone:
        result.withdrawn += withdraw_file(reader.graph, target)
    if not any((result.pipelines, result.failures, result.withdrawn)):
        result.failures.append(f"{path}: has no pipeline: call lg.pipeline(…) in it")
    return result


def forget_path(graph: Graph, path: Path) -> list[str]:
    """Read definitions no more at a path, and withdraw the pipelines there; return their names."""
    path = path.resolve()
    paths = graph.read(definition_paths.list_paths, host=this_host())
    known = find_known(graph, path)
    if not known and not any(Path(row.path).is_relative_to(path) for row in paths):
        raise NotFound(f"{path}: no definitions were read there: `lineagegraph status` lists where")
    graph.write(definition_paths.delete_paths, host=this_host(), path=str(path))
    return [name for target in known for name in withdraw_file(graph, target)]


def _keep_path(tx: Transaction, path: Path, settings: Settings, fault: str | None) -> None:
    key = path_key(path)
    definition_paths.merge_path(
        tx,
        key=key,
        host=this_host(),
        path=str(path),
        folder=None if fault else identity(path) if path.exists() else None,
        namespace=settings.namespace,
        zone=settings.zone,
        application=settings.application,
    )
    faults = [{"file": str(path), "line": None, "message": fault}] if fault else []
    definition_files.merge_faults(tx, key=key, faults=faults, now=None)
