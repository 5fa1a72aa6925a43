"""Column lineage in Marquez's terms: of datasets, columns, jobs, and versions of these."""

from datetime import datetime

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.lineage.column_node import ColumnsAsked
from lineagegraph.queries.lineage.column_versions import VersionedColumns, walk_versions
from lineagegraph.queries.lineage.columns import BOTH, column_graph
from lineagegraph.store.datasets.dataset_versions import list_versions
from lineagegraph.store.lineage.lineage import list_current_versions

MOST_COLUMNS = 3000


def read_column_lineage(
    graph: Graph, asked: ColumnsAsked, depth: int, down: bool, at: datetime | None = None
) -> VersionedColumns:
    """Return the upstream columns, and with `down` the downstream ones too.

    For versions or at a time, the lineage is the one reported by the runs that wrote them.
    """

    def work(tx: Transaction) -> VersionedColumns:
        versions = asked.versions
        if at is not None and not versions:
            versions = current_versions(tx, [column.dataset for column in asked.columns], at)
        if asked.versions or at is not None:
            return _of_versions(tx, asked, versions, depth)
        keys = [column.key for column in asked.columns]
        found = column_graph(tx, keys, depth, depth if down else 0, BOTH, MOST_COLUMNS)
        datasets = [dataset.key for dataset in found.datasets]
        return VersionedColumns(found, current_versions(tx, datasets, None))

    return graph.read(work)


def current_versions(tx: Transaction, datasets: list[str], at: datetime | None) -> dict[str, str]:
    """Return the keys of the latest versions, now or at a time, by dataset."""
    rows = list_current_versions(tx, keys=sorted(set(datasets)), at=at)
    return {row.key: row.version for row in rows}


def _of_versions(
    tx: Transaction, asked: ColumnsAsked, versions: dict[str, str], depth: int
) -> VersionedColumns:
    rows = list_versions(tx, keys=sorted(set(versions.values())))
    known = {row.dataset: row.key for row in rows}
    roots = [
        (versions[column.dataset], column.name)
        for column in asked.columns
        if known.get(column.dataset) == versions.get(column.dataset, "")
    ]
    if not roots:
        raise NotFound("no such version, or none by that time")
    return walk_versions(tx, roots, depth, MOST_COLUMNS)
