"""Sync the definitions at a path with the graph, and forget them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.reading.definition_files import (
    FoundFiles,
    PathMarks,
    find_known,
    find_targets,
    folder_identity,
    path_key,
    path_marks,
    this_host,
)
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reading.reader import Progress, Reader, RereadPolicy
from lineagegraph.reading.write_files import withdraw_file, withdraw_gone
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.pipelines import definition_files, definition_paths
from lineagegraph.store.pipelines.definition_paths import PathRow


def sync_path(
    graph: Graph,
    settings: Settings,
    path: Path,
    progress: Progress = lambda done, total: None,
    *,
    take: bool = False,
) -> SyncResult:
    """Read the definitions at a path; one that fails does not stop the others.

    Pipelines whose file is gone are withdrawn. One that a file of another project or host defines
    with another version is refused or, with `take`, moves to this file. Daemons of this host read
    the path from now on, with the paths below it that were synced before. Raises `NotFound` if
    there is nothing and the graph knows nothing there.
    """
    with Reader(graph) as reader:
        return read_path(
            reader, settings, path.resolve(), progress=progress, take=take, is_asked=True
        )


def read_path(
    reader: Reader,
    settings: Settings,
    path: Path,
    wanted: RereadPolicy = RereadPolicy(),  # noqa: B008
    progress: Progress = lambda done, total: None,
    await_replacement: Callable[[], object] = lambda: None,
    *,
    take: bool = False,
    is_asked: bool = False,
) -> SyncResult:
    """Read the definitions at a path that changed or match `wanted`, as `sync_path` does.

    If files seem to be gone, `await_replacement` may wait for their replacement. A forgotten path
    is read only if a person asked for it; unless one did, parts that were synced themselves later
    are read with the defaults of that.
    """
    marks = reader.graph.read(path_marks)
    marks = marks.with_read(path) if is_asked else marks
    if marks.is_forgotten(path):
        return SyncResult()
    below = _paths_below(reader.graph, path)
    taken = _list_taken(below, path, marks) if is_asked else []
    nested = [row for row in below if row not in taken]
    found = find_targets(reader.graph, path, marks, nested)
    if found.gone:
        await_replacement()
        found = find_targets(reader.graph, path, marks, nested)
    if not reader.graph.write(_keep_path, path, settings, found, taken, is_asked):
        return SyncResult()
    if found.fault:
        return SyncResult(failures=found.faults)
    result = reader.read(found.targets, settings, wanted, progress, take=take)
    for target in found.gone:
        result.withdrawn += withdraw_gone(reader.graph, target)
    result.failures += found.misnamed
    result.forgotten = [str(file) for file in found.forgotten]
    is_known = any((result.pipelines, result.failures, result.withdrawn, result.forgotten))
    if not is_known and not any(map(reader.is_slow, found.targets)):
        result.failures.append(f"{path}: has no pipeline: state one with lg.pipeline(…)")
    return result


def forget_path(graph: Graph, path: Path) -> list[str]:
    """Stop reading definitions at a path and withdraw its pipelines; return their names.

    The path stays forgotten, also where a folder above it is read, until it is synced itself.
    """
    path = path.resolve()
    paths = graph.read(definition_paths.list_paths, host=this_host())
    known = find_known(graph, path)
    if not known and not any(Path(row.path).is_relative_to(path) for row in paths):
        raise NotFound(
            f"{path}: no definitions were read there: name a file or folder that was synced"
        )
    graph.write(_forget, path)
    # A daemon may have read a file here for the first time until now.
    return [name for target in find_known(graph, path) for name in withdraw_file(graph, target)]


def _paths_below(graph: Graph, path: Path) -> list[PathRow]:
    rows = graph.read(definition_paths.list_paths, host=this_host())
    return [row for row in rows if path in Path(row.path).parents]


def _list_taken(below: Sequence[PathRow], path: Path, marks: PathMarks) -> list[PathRow]:
    """Return the paths that become part of one that is synced: not those in a forgotten folder."""
    whole = PathMarks(frozenset({path}), marks.forgotten)
    return [row for row in below if not whole.is_forgotten(Path(row.path))]


def _forget(tx: Transaction, path: Path) -> None:
    definition_paths.claim_paths(tx, host=this_host())
    paths = definition_paths.list_paths(tx, host=this_host())
    below = [row.key for row in paths if Path(row.path).is_relative_to(path)]
    marks = definition_paths.list_forgotten(tx, host=this_host())
    forgotten = [path_key(Path(one)) for one in marks if Path(one).is_relative_to(path)]
    with audited(tx, "path.forget", *{*below, path_key(path)}):
        definition_paths.delete_paths(tx, keys=[*below, *forgotten])
        definition_paths.merge_forgotten(tx, key=path_key(path), host=this_host(), path=str(path))


def _keep_path(
    tx: Transaction,
    path: Path,
    settings: Settings,
    found: FoundFiles,
    taken: Sequence[PathRow],
    is_asked: bool,
) -> bool:
    """Store a path that is read; return whether it is, as it may be forgotten by now."""
    if not is_asked:
        # Who forgets it at this moment has these first.
        definition_paths.claim_paths(tx, host=this_host())
        if path_marks(tx).is_forgotten(path):
            return False
    key = path_key(path)
    with audited(tx, "path.sync", key):
        if not found.fault:
            definition_paths.delete_paths(tx, keys=[row.key for row in taken])
        definition_paths.merge_path(
            tx,
            key=key,
            host=this_host(),
            path=str(path),
            folder=None if found.fault else folder_identity(path) if path.exists() else None,
            namespace=settings.namespace,
            zone=settings.zone,
            application=settings.application,
        )
    faults = [{"file": str(path), "line": None, "message": fault} for fault in found.faults]
    definition_files.merge_faults(tx, key=key, faults=faults, now=None)
    return True
