"""Column lineage: the exact source columns of columns, across pipelines."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any

import msgspec
import networkx as nx

from lineagegraph.errors import NotFound
from lineagegraph.graph import Transaction
from lineagegraph.queries.datasets.last_statements import ALL_STATED, StatedFilter, last_stated
from lineagegraph.queries.find.find import NodeMatch
from lineagegraph.queries.lineage.lineage_graph import LineageGraph
from lineagegraph.store.lineage.lineage import (
    ColumnRow,
    DatasetRow,
    DerivationRow,
    NearColumn,
    list_column_sources,
    list_columns_made,
    list_dataset_nodes,
    list_derivations,
    list_flows,
    list_job_nodes,
    list_near_columns,
    walk_downstream,
)

BOTH = ("DIRECT", "INDIRECT")


def walk_columns(
    tx: Transaction, place: NodeMatch, up: int, down: int, indirect: bool, limit: int
) -> LineageGraph:
    """Return the columns upstream and downstream of a dataset's columns or of a job's outputs."""
    types = BOTH if indirect else BOTH[:1]
    starts = _starts(tx, place)
    keys = [column.key for dataset in starts for column in dataset.columns]
    found = column_graph(tx, keys, up, down, types, limit)
    return msgspec.structs.replace(found, roots=tuple(start.key for start in starts))


def column_graph(
    tx: Transaction,
    keys: list[str],
    up: int,
    down: int,
    types: Sequence[str],
    limit: int,
    stated: StatedFilter = ALL_STATED,
) -> LineageGraph:
    """Return the columns upstream and downstream of some columns, with these as roots."""
    chosen: dict[str, Any] = {"types": list(types), "since": stated.since}
    before = _walk(tx, keys, partial(list_column_sources, tx, **chosen), up, limit)
    after = _walk(tx, keys, partial(list_columns_made, tx, **chosen), down, limit)
    found = {column.key: column for column in (*before, *after)}
    all_of = list_derivations(tx, keys=list(found), **chosen)
    derivations = [one for one in all_of if one.source in found]
    if stated.latest:
        datasets_of = {key: column.dataset for key, column in found.items()}
        derivations = last_stated(tx, derivations, datasets_of)
    linked = _linked(keys, derivations, up, down)
    reached = {key: column for key, column in found.items() if key in linked}
    derivations = [one for one in derivations if {one.source, one.target} <= linked]
    datasets = sorted({column.dataset for column in reached.values()})
    jobs = sorted({derivation.job for derivation in derivations if derivation.job})
    return LineageGraph(
        nodes=(*list_job_nodes(tx, keys=jobs), *_with_columns(tx, datasets, reached)),
        edges=tuple(list_flows(tx, jobs=jobs, datasets=datasets, at=None)),
        derivations=tuple(derivations),
        roots=tuple(key for key in keys if key in reached),
        by_column=True,
        cut=max(len(before), len(after)) >= limit,
    )


def _walk(
    tx: Transaction,
    keys: list[str],
    step: Callable[..., list[NearColumn]],
    depth: int,
    limit: int,
) -> list[NearColumn]:
    """Return columns and those up to `depth` steps away, the nearest ones first, without hidden."""
    level = list_near_columns(tx, keys=keys)
    seen = {column.key for column in level}
    reached = [column for column in level if not column.hidden]
    for _ in range(depth):
        if not level or len(reached) >= limit:
            break
        found = step(keys=[column.key for column in level])
        level = [column for column in found if column.key not in seen]
        seen |= {column.key for column in level}
        reached += [column for column in level if not column.hidden]
    return reached[:limit]


def _linked(keys: list[str], derivations: list[DerivationRow], up: int, down: int) -> set[str]:
    """Return the columns connected to some columns without a step through a hidden dataset."""
    flows: nx.DiGraph[str] = nx.DiGraph((one.source, one.target) for one in derivations)
    flows.add_nodes_from(keys)
    near = set(keys)
    for way, steps in ((flows, down), (flows.reverse(), up)):
        layers = islice(nx.bfs_layers(way, keys), steps + 1)
        near |= {key for layer in layers for key in layer}
    return near


def _starts(tx: Transaction, place: NodeMatch) -> list[DatasetRow]:
    found = walk_downstream(tx, key=place.node.key, depth=1, limit=1000, at=None)
    nearest = 0 if any(not node.is_job and node.distance == 0 for node in found) else 1
    keys = [node.key for node in found if not node.is_job and node.distance == nearest]
    starts = list_dataset_nodes(tx, keys=keys)
    if not any(start.columns for start in starts):
        raise NotFound(f"{place.node.name!r} has no known columns")
    return starts if place.column is None else [_only(start, place.column) for start in starts]


def _only(dataset: DatasetRow, column: str) -> DatasetRow:
    chosen = tuple(c for c in dataset.columns if c.name.lower() == column.lower())
    if not chosen:
        names = ", ".join(c.name for c in dataset.columns)
        raise NotFound(f"{dataset.name!r} has no column {column!r}: it has {names}")
    return msgspec.structs.replace(dataset, columns=chosen)


def _with_columns(
    tx: Transaction, keys: list[str], reached: dict[str, NearColumn]
) -> list[DatasetRow]:
    return [
        msgspec.structs.replace(dataset, columns=_reached(dataset, reached))
        for dataset in list_dataset_nodes(tx, keys=keys)
    ]


def _reached(dataset: DatasetRow, reached: dict[str, NearColumn]) -> tuple[ColumnRow, ...]:
    """Return the reached columns: current ones in order, then removed ones."""
    current = [column for column in dataset.columns if column.key in reached]
    known = {column.key for column in current}
    gone = [
        ColumnRow(column.key, column.name, column.type)
        for column in reached.values()
        if column.dataset == dataset.key and column.key not in known
    ]
    return (*current, *sorted(gone, key=lambda column: column.name))
