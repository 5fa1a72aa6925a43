"""Column lineage: the exact source columns of columns, across pipelines."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any

import msgspec
import networkx as nx

from lineagegraph.errors import NotFound
from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import field_key
from lineagegraph.queries.datasets.last_statements import ALL_STATED, StatedFilter, last_stated
from lineagegraph.queries.find.find import NodeMatch, match_column
from lineagegraph.queries.lineage.lineage_graph import LineageGraph
from lineagegraph.store.datasets.names import shown_names
from lineagegraph.store.jobs.names import NamedJob
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
    list_hidden_jobs,
    list_job_nodes,
    list_near_columns,
    list_outputs,
)

_MOST_STARTS = 1000
BOTH = ("DIRECT", "INDIRECT")


def walk_columns(
    tx: Transaction, place: NodeMatch, up: int, down: int, indirect: bool, limit: int
) -> LineageGraph:
    """Return the columns upstream and downstream of a dataset's columns or of a job's outputs."""
    types = BOTH if indirect else BOTH[:1]
    starts = _starts(tx, place)
    keys = [column.key for dataset in starts for column in dataset.columns]
    found = column_graph(tx, keys, up, down, types, limit)
    cut = found.cut or len(starts) >= _MOST_STARTS
    return msgspec.structs.replace(found, roots=tuple(start.key for start in starts), cut=cut)


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
    shown = {key: column.key for column in found.values() for key in keys_of(column)}
    keys = list(dict.fromkeys(shown.get(key, key) for key in keys))
    all_of = list_derivations(tx, keys=list(shown), **chosen)
    if stated.latest:
        all_of = last_stated(tx, all_of, _datasets_of(found.values()))
    derivations = between_shown(all_of, shown)
    linked = _linked(keys, derivations, up, down)
    reached = {key: column for key, column in found.items() if key in linked}
    derivations = [one for one in derivations if {one.source, one.target} <= linked]
    datasets = sorted({column.dataset for column in reached.values()})
    makers = sorted({derivation.job for derivation in derivations if derivation.job})
    jobs = sorted(set(makers).difference(list_hidden_jobs(tx, keys=makers)))
    return LineageGraph(
        nodes=(*list_job_nodes(tx, keys=jobs), *_with_columns(tx, datasets, reached)),
        edges=tuple(list_flows(tx, jobs=jobs, datasets=datasets, at=None)),
        derivations=tuple(derivations),
        roots=tuple(key for key in keys if key in reached),
        by_column=True,
        cut=max(len(before), len(after)) >= limit,
    )


def between_shown(derivations: list[DerivationRow], shown: dict[str, str]) -> list[DerivationRow]:
    """Return the derivations between shown columns, each once with its first and last time."""
    found: dict[DerivationRow, list[DerivationRow]] = {}
    for one in derivations:
        if one.source in shown:
            ends = {"source": shown[one.source], "target": shown[one.target]}
            same = msgspec.structs.replace(one, **ends, first_seen=None, last_seen=None)
            found.setdefault(same, []).append(one)
    return [
        msgspec.structs.replace(
            same,
            first_seen=min((one.first_seen for one in of if one.first_seen), default=None),
            last_seen=max((one.last_seen for one in of if one.last_seen), default=None),
        )
        for same, of in found.items()
    ]


def keys_of(column: NearColumn) -> list[str]:
    """Return the keys of a column in its dataset and in those that are the same."""
    return [column.key, *(field_key(other, column.name) for other in column.others)]


def _datasets_of(columns: Iterable[NearColumn]) -> dict[str, str]:
    """Return the dataset of each key of some columns."""
    return {
        field_key(dataset, column.name): dataset
        for column in columns
        for dataset in (column.dataset, *column.others)
    }


def _of_first(column: NearColumn) -> NearColumn:
    """Return a column as the one of the dataset that stands for those that are the same."""
    if column.same_as is None:
        return column
    others = ({column.dataset, *column.others}) - {column.same_as}
    return msgspec.structs.replace(
        column,
        key=field_key(column.same_as, column.name),
        dataset=column.same_as,
        others=tuple(sorted(others)),
    )


def _merged(columns: Iterable[NearColumn]) -> list[NearColumn]:
    """Return columns as those of the datasets that stand for others; one is hidden if all are."""
    found: dict[str, NearColumn] = {}
    for column in map(_of_first, columns):
        known = found.get(column.key)
        if known is None or (known.hidden and not column.hidden):
            found[column.key] = column
    return list(found.values())


def _walk(
    tx: Transaction,
    keys: list[str],
    step: Callable[..., list[NearColumn]],
    depth: int,
    limit: int,
) -> list[NearColumn]:
    """Return columns and those up to `depth` steps away, the nearest ones first, without hidden."""
    level = _merged(list_near_columns(tx, keys=keys))
    seen = {column.key for column in level}
    reached = [column for column in level if not column.hidden]
    for _ in range(depth):
        if not level or len(reached) >= limit:
            break
        found = _merged(step(keys=[key for column in level for key in keys_of(column)]))
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
    key = place.node.key
    if isinstance(place.node, NamedJob):
        keys = list_outputs(tx, key=key, limit=_MOST_STARTS)
    else:
        keys = [shown_names(tx, [key])[key]]
    starts = list_dataset_nodes(tx, keys=keys)
    if not any(start.columns for start in starts):
        raise NotFound(f"{place.node.name!r} has no known columns")
    return starts if place.column is None else [_only(start, place.column) for start in starts]


def _only(dataset: DatasetRow, column: str) -> DatasetRow:
    name = match_column({c.name for c in dataset.columns}, column)
    chosen = tuple(c for c in dataset.columns if c.name == name)
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
