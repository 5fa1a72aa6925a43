"""Column lineage: the exact columns that columns were computed from, across pipelines."""

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.explore.find import Place
from lineagegraph.explore.lineage_graph import LineageGraph
from lineagegraph.graph import Transaction
from lineagegraph.store.lineage import (
    ColumnRow,
    DatasetRow,
    ReachedColumn,
    list_dataset_nodes,
    list_derivations,
    list_flows,
    list_job_nodes,
    walk_columns_downstream,
    walk_columns_upstream,
    walk_downstream,
)


def walk_columns(
    tx: Transaction, place: Place, up: int, down: int, indirect: bool, limit: int
) -> LineageGraph:
    """Return the columns before and after those of a dataset or of what a job writes."""
    types = ["DIRECT", "INDIRECT"] if indirect else ["DIRECT"]
    starts = _starts(tx, place)
    keys = [column.key for dataset in starts for column in dataset.columns]
    before = walk_columns_upstream(tx, keys=keys, types=types, depth=up, limit=limit)
    after = walk_columns_downstream(tx, keys=keys, types=types, depth=down, limit=limit)
    reached = {column.key: column for column in (*before, *after)}
    derivations = list_derivations(tx, keys=list(reached), types=types)
    datasets = sorted({column.dataset for column in reached.values()})
    jobs = sorted({derivation.job for derivation in derivations if derivation.job})
    return LineageGraph(
        nodes=(*list_job_nodes(tx, keys=jobs), *_with_columns(tx, datasets, reached)),
        edges=tuple(list_flows(tx, jobs=jobs, datasets=datasets, at=None)),
        derivations=tuple(derivations),
        roots=tuple(start.key for start in starts),
        by_column=True,
        cut=max(len(before), len(after)) >= limit,
    )


def _starts(tx: Transaction, place: Place) -> list[DatasetRow]:
    found = walk_downstream(tx, key=place.node.key, depth=1, limit=1000, at=None)
    nearest = 0 if any(not node.is_job and node.distance == 0 for node in found) else 1
    keys = [node.key for node in found if not node.is_job and node.distance == nearest]
    starts = list_dataset_nodes(tx, keys=keys)
    if not any(start.columns for start in starts):
        raise NotFound(f"no columns are known of {place.node.name!r}")
    return starts if place.column is None else [_only(start, place.column) for start in starts]


def _only(dataset: DatasetRow, column: str) -> DatasetRow:
    chosen = tuple(c for c in dataset.columns if c.name.lower() == column.lower())
    if not chosen:
        names = ", ".join(c.name for c in dataset.columns)
        raise NotFound(f"no column {column!r} in {dataset.name!r}: it has {names}")
    return msgspec.structs.replace(dataset, columns=chosen)


def _with_columns(
    tx: Transaction, keys: list[str], reached: dict[str, ReachedColumn]
) -> list[DatasetRow]:
    return [
        msgspec.structs.replace(dataset, columns=_reached(dataset, reached))
        for dataset in list_dataset_nodes(tx, keys=keys)
    ]


def _reached(dataset: DatasetRow, reached: dict[str, ReachedColumn]) -> tuple[ColumnRow, ...]:
    """Return the columns that matter: the current ones in order, then those that are gone."""
    current = [column for column in dataset.columns if column.key in reached]
    known = {column.key for column in current}
    gone = [
        ColumnRow(column.key, column.name, column.type)
        for column in reached.values()
        if column.dataset == dataset.key and column.key not in known
    ]
    return (*current, *sorted(gone, key=lambda column: column.name))
