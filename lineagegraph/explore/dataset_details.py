"""Datasets with what belongs to each: columns, facets, and when they were used."""

import msgspec

from lineagegraph.explore.run_details import Facets, facet_map
from lineagegraph.graph import Transaction
from lineagegraph.store import details
from lineagegraph.store.details import DatasetDetailRow, OriginRow


class DatasetDetail(msgspec.Struct, frozen=True):
    """A dataset; `origins` has what its columns are made from, where it was asked for."""

    row: DatasetDetailRow
    facets: Facets
    origins: tuple[OriginRow, ...] = ()


def describe_datasets(tx: Transaction, keys: list[str]) -> list[DatasetDetail]:
    """Return datasets in the order of their keys."""
    found = {row.key: row for row in details.list_datasets(tx, keys=keys)}
    return [_detail(found[key]) for key in keys if key in found]


def describe_with_origins(tx: Transaction, keys: list[str]) -> list[DatasetDetail]:
    """Return datasets in the order of their keys, with what their columns are made from."""
    origins: dict[str, list[OriginRow]] = {}
    for row in details.list_origins(tx, keys=keys):
        origins.setdefault(row.dataset, []).append(row)
    return [
        msgspec.structs.replace(one, origins=tuple(origins.get(one.row.key, ())))
        for one in describe_datasets(tx, keys)
    ]


def _detail(row: DatasetDetailRow) -> DatasetDetail:
    return DatasetDetail(row, facet_map(row.facets))
