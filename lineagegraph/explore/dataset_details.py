"""Datasets with what belongs to each: columns, facets, and when they were used."""

import msgspec

from lineagegraph.explore.run_details import Facets, facet_map
from lineagegraph.graph import Transaction
from lineagegraph.store import details
from lineagegraph.store.details import DatasetDetailRow


class DatasetDetail(msgspec.Struct, frozen=True):
    """A dataset."""

    row: DatasetDetailRow
    facets: Facets


def describe_datasets(tx: Transaction, keys: list[str]) -> list[DatasetDetail]:
    """Return datasets in the order of their keys."""
    found = {row.key: row for row in details.list_datasets(tx, keys=keys)}
    return [_detail(found[key]) for key in keys if key in found]


def _detail(row: DatasetDetailRow) -> DatasetDetail:
    return DatasetDetail(row, facet_map(row.facets))
