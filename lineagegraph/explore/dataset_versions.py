"""Versions of datasets with what belongs to each: columns, facets and the run that wrote it."""

from collections.abc import Iterable

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.explore.pages import Cut, Page
from lineagegraph.explore.run_details import Facets, RunDetail, list_runs
from lineagegraph.explore.schema_columns import schema_columns
from lineagegraph.explore.version_facets import read_version_facets
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names import dataset_key
from lineagegraph.store.addresses import list_addressed_datasets
from lineagegraph.store.dataset_versions import (
    DatasetVersionRow,
    count_keys,
    list_keys,
    list_versions,
)
from lineagegraph.store.details import FieldRow
from lineagegraph.store.facets import list_bodies


class DatasetVersionDetail(msgspec.Struct, frozen=True):
    """A version, its columns, and the run that wrote it."""

    row: DatasetVersionRow
    fields: tuple[FieldRow, ...]
    facets: Facets
    run: RunDetail | None


def page_dataset_versions(
    graph: Graph, namespace: str, name: str, inherit: bool, cut: Cut
) -> Page[DatasetVersionDetail]:
    """Return what was written of a dataset, the newest first."""

    def work(tx: Transaction) -> Page[DatasetVersionDetail]:
        key = _existing(tx, namespace, name)
        keys = list_keys(tx, key=key, limit=cut.limit, offset=cut.offset)
        found = describe_dataset_versions(tx, keys, inherit)
        return Page(tuple(found), count_keys(tx, key=key))

    return graph.read(work)


def read_dataset_version(
    graph: Graph, namespace: str, name: str, version: str, inherit: bool
) -> DatasetVersionDetail:
    """Return the version of a dataset that has a key."""

    def work(tx: Transaction) -> list[DatasetVersionDetail]:
        _existing(tx, namespace, name)
        return describe_dataset_versions(tx, [version], inherit)

    for found in graph.read(work):
        if (found.row.namespace, found.row.name) == (namespace, name):
            return found
    raise NotFound(f"no such version of dataset {name!r} in namespace {namespace!r}")


def describe_dataset_versions(
    tx: Transaction, keys: list[str], inherit: bool
) -> list[DatasetVersionDetail]:
    """Return versions in the order of their keys."""
    rows = {row.key: row for row in list_versions(tx, keys=keys)}
    ids = sorted({row.run for row in rows.values() if row.run})
    runs = {run.row.id: run for run in list_runs(tx, ids, inherit)}
    columns = read_columns(tx, (row.schema for row in rows.values()))
    facets = read_version_facets(tx, rows.values())
    return [
        DatasetVersionDetail(
            row, columns.get(row.schema or "", ()), facets[row.key], runs.get(row.run or "")
        )
        for row in (rows[key] for key in keys if key in rows)
    ]


def read_columns(tx: Transaction, schemas: Iterable[str | None]) -> dict[str, tuple[FieldRow, ...]]:
    """Return the columns of schema facets, by hash."""
    bodies = list_bodies(tx, hashes=sorted({hash_ for hash_ in schemas if hash_}))
    return {row.hash: schema_columns(row.body) for row in bodies}


def _existing(tx: Transaction, namespace: str, name: str) -> str:
    key = dataset_key(namespace, name)
    if not list_addressed_datasets(tx, keys=[key]):
        raise NotFound(f"no dataset {name!r} in namespace {namespace!r}")
    return key
