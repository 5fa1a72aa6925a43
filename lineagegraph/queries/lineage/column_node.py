"""Resolution of a node id of column lineage to columns."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from uuid import UUID

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import dataset_key, field_key
from lineagegraph.queries.datasets.last_statements import ALL_STATED, StatedFilter
from lineagegraph.queries.find.resolve import FoundDataset, Resolution, resolve_node
from lineagegraph.queries.lineage.column_versions import (
    VersionedColumns,
    list_version_columns,
    walk_versions,
)
from lineagegraph.queries.lineage.columns import BOTH, column_graph
from lineagegraph.store.datasets.dataset_versions import list_versions
from lineagegraph.store.datasets.names import list_same
from lineagegraph.store.jobs.job_versions import list_versions_starting, list_written
from lineagegraph.store.lineage.lineage import (
    PlacedColumn,
    list_columns,
    list_columns_of,
    list_current_versions,
    list_outputs_at,
)

_MOST_SPLITS = 1000
_MOST_OTHERS = 20


class ColumnsAsked(msgspec.Struct, frozen=True, kw_only=True):
    """The requested columns of today, with the keys of their datasets and of requested versions.

    Without a `name`, all columns are requested: a version can have others than its dataset today.
    """

    columns: tuple[PlacedColumn, ...]
    datasets: tuple[str, ...]
    name: str | None = None
    versions: tuple[str, ...] = ()
    job: str | None = None  # key of the job whose outputs these are


def resolve_columns(graph: Graph, node: str, *, inherit: bool) -> ColumnsAsked | Resolution:
    """Return the columns of a node id, or the candidate jobs if it is ambiguous.

    A node id is `dataset:NAMESPACE:NAME`, `datasetField:NAMESPACE:NAME:FIELD` or
    `job:NAMESPACE:NAME`, optionally with `#UUID` for a version. Raise `NotFound`.
    """
    name, _, version = node.rpartition("#")
    try:
        return _resolve(graph, node, inherit)
    except NotFound:
        if not name or not _is_uuid(version):
            raise
    found = _resolve(graph, name, inherit)
    if isinstance(found, Resolution):
        return found
    return _of_version(graph, name, found, UUID(version).hex, inherit)


def version_of(node: str) -> str | None:
    """Return the version at the end of a node id, if it has the form of one."""
    version = node.rpartition("#")[2]
    return version if "#" in node and _is_uuid(version) else None


def _resolve(graph: Graph, node: str, inherit: bool) -> ColumnsAsked | Resolution:
    if node.startswith("datasetField:"):
        column = _find_column(graph, node)
        return ColumnsAsked(columns=(column,), datasets=(column.dataset,), name=column.name)
    found = resolve_node(graph, node, inherit=inherit)
    if isinstance(found, Resolution) and len(found.found) > 1:
        return found
    end = found if isinstance(found, FoundDataset) else found.found[0]
    columns = tuple(graph.read(list_columns_of, key=end.key, with_tagged=False))
    datasets = {column.dataset for column in columns}
    if not isinstance(found, FoundDataset):
        return ColumnsAsked(columns=columns, datasets=tuple(sorted(datasets)), job=end.key)
    datasets |= {end.key, *graph.read(list_same, key=end.key)}
    return ColumnsAsked(columns=columns, datasets=tuple(sorted(datasets)))


def _find_column(graph: Graph, node: str) -> PlacedColumn:
    keys = list(islice(_column_keys(node.partition(":")[2]), _MOST_SPLITS))
    found = {column.key: column for column in graph.read(list_columns, keys=keys)}
    for key in keys:
        if key in found:
            return found[key]
    for other in _other_keys(graph, node):
        for column in graph.read(list_columns, keys=[other]):
            return column
    raise NotFound(f"no column {node!r}")


def _other_keys(graph: Graph, node: str) -> Iterator[str]:
    """Yield the keys of a column in the datasets that are the same as the one that is named."""
    for dataset, column in islice(_column_places(node.partition(":")[2]), _MOST_OTHERS):
        for other in graph.read(list_same, key=dataset):
            yield field_key(other, column)


def _column_keys(rest: str) -> Iterator[str]:
    for dataset, column in _column_places(rest):
        yield field_key(dataset, column)


def _column_places(rest: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of datasets and the names of columns that a text may mean."""
    colons = [position for position, character in enumerate(rest) if character == ":"]
    for number, first in enumerate(colons):
        for second in colons[number + 1 :]:
            namespace, name, column = rest[:first], rest[first + 1 : second], rest[second + 1 :]
            if namespace and name and column:
                yield dataset_key(namespace, name), column


def _of_version(
    graph: Graph, node: str, found: ColumnsAsked, version: str, inherit: bool
) -> ColumnsAsked:
    if not node.startswith("job:"):
        same = {other for key in found.datasets for other in graph.read(list_same, key=key)}
        rows = graph.read(list_versions, keys=[version])
        if not any(row.dataset in {*found.datasets, *same} for row in rows):
            raise NotFound(f"no such version of {node!r}")
        return msgspec.structs.replace(found, versions=(version,))
    resolved = resolve_node(graph, node, inherit=inherit)
    assert isinstance(resolved, Resolution)
    key = resolved.found[0].key
    hashes = [row.version for row in graph.read(list_versions_starting, key=key, prefix=version)]
    written = graph.read(list_written, key=key, hashes=hashes)
    if not written:
        raise NotFound(f"no such version of {node!r}, or none that wrote data")
    return msgspec.structs.replace(found, versions=tuple(written))


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


MOST_COLUMNS = 3000


def read_column_lineage(
    graph: Graph,
    asked: ColumnsAsked,
    depth: int,
    down: bool,
    at: datetime | None = None,
    stated: StatedFilter = ALL_STATED,
) -> VersionedColumns:
    """Return the upstream columns, and with `down` the downstream ones too.

    For versions or at a time, the lineage is the one reported by the runs that wrote them, and
    `stated` does not count.
    """

    def work(tx: Transaction) -> VersionedColumns:
        versions = asked.versions
        if at is not None and not versions:
            job = asked.job
            datasets = list_outputs_at(tx, key=job, at=at) if job is not None else asked.datasets
            versions = tuple(current_versions(tx, datasets, at).values())
        if asked.versions or at is not None:
            return _of_versions(tx, asked, versions, depth)
        keys = [column.key for column in asked.columns]
        found = column_graph(tx, keys, depth, depth if down else 0, BOTH, MOST_COLUMNS, stated)
        datasets = [dataset.key for dataset in found.datasets]
        return VersionedColumns(found, current_versions(tx, datasets, None))

    return graph.read(work)


def current_versions(
    tx: Transaction, datasets: Iterable[str], at: datetime | None
) -> dict[str, str]:
    """Return the keys of the latest versions, now or at a time, by dataset."""
    rows = list_current_versions(tx, keys=sorted(set(datasets)), at=at)
    return {row.key: row.version for row in rows}


def _of_versions(
    tx: Transaction, asked: ColumnsAsked, versions: Iterable[str], depth: int
) -> VersionedColumns:
    rows = list_versions(tx, keys=sorted(versions))
    if not rows:
        raise NotFound("no such version, or none by that time")
    if asked.name is None:
        roots = list_version_columns(tx, rows)
    else:
        roots = [(row.key, asked.name) for row in rows]
    return walk_versions(tx, roots, depth, MOST_COLUMNS)
