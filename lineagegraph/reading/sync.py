"""Sync the definitions at a path with the graph, and forget them."""

from collections.abc import Callable
from pathlib import Path

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.reading.definition_files import (
    find_known,
    find_targets,
    folder_identity,
    path_key,
    this_host,
)
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reading.reader import Progress, Reader, RereadPolicy
from lineagegraph.reading.write_files import withdraw_file
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.pipelines import definition_files, definition_paths


def sync_path(
    graph: Graph,
    settings: Settings,
    path: Path,
    progress: Progress = lambda done, total: None,
) -> SyncResult:
    """Read the definitions at a path; one that fails does not stop the others.

    Pipelines whose file is gone are withdrawn. Daemons of this host read the path from now on.
    Raises `NotFound` if there is nothing and the graph knows nothing there.
    """
    with Reader(graph) as reader:
        return read_path(reader, settings, path.resolve(), progress=progress)


def read_path(
    reader: Reader,
    settings: Settings,
    path: Path,
    wanted: RereadPolicy = RereadPolicy(),  # noqa: B008
    progress: Progress = lambda done, total: None,
    await_replacement: Callable[[], object] = lambda: None,
) -> SyncResult:
    """Read the definitions at a path that changed or match `wanted`, as `sync_path` does.

    If files seem to be gone, `await_replacement` may wait for their replacement.
    """
    found = find_targets(reader.graph, path)
    if found.gone:
        await_replacement()
        found = find_targets(reader.graph, path)
    reader.graph.write(_keep_path, path, settings, found.fault)
    if found.fault:
        return SyncResult(failures=[found.fault])
    result = reader.read(found.targets, settings, wanted, progress)
    for target in found.gone:
        result.withdrawn += withdraw_file(reader.graph, target)
    if not any((result.pipelines, result.failures, result.withdrawn)):
        result.failures.append(f"{path}: has no pipeline: state one with lg.pipeline(…)")
    return result


def forget_path(graph: Graph, path: Path) -> list[str]:
    """Stop reading definitions at a path and withdraw its pipelines; return their names."""
    path = path.resolve()
    paths = graph.read(definition_paths.list_paths, host=this_host())
    known = find_known(graph, path)
    if not known and not any(Path(row.path).is_relative_to(path) for row in paths):
        raise NotFound(
            f"{path}: no definitions were read there: `lineagegraph status` lists the paths"
        )
    graph.write(_forget, path)
    return [name for target in known for name in withdraw_file(graph, target)]


def _forget(tx: Transaction, path: Path) -> None:
    paths = definition_paths.list_paths(tx, host=this_host())
    below = [row.key for row in paths if Path(row.path).is_relative_to(path)]
    with audited(tx, "path.forget", *below):
        definition_paths.delete_paths(tx, host=this_host(), path=str(path))


def _keep_path(tx: Transaction, path: Path, settings: Settings, fault: str | None) -> None:
    key = path_key(path)
    with audited(tx, "path.sync", key):
        definition_paths.merge_path(
            tx,
            key=key,
            host=this_host(),
            path=str(path),
            folder=None if fault else folder_identity(path) if path.exists() else None,
            namespace=settings.namespace,
            zone=settings.zone,
            application=settings.application,
        )
    faults = [{"file": str(path), "line": None, "message": fault}] if fault else []
    definition_files.merge_faults(tx, key=key, faults=faults, now=None)
