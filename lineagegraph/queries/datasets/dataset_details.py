"""Datasets with their columns, facets and times of use."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.claims import describes_data
from lineagegraph.ingest.column_facets import list_columns
from lineagegraph.queries.datasets.last_statements import last_stated
from lineagegraph.queries.runs.run_details import Facets, facet_map
from lineagegraph.queries.runs.use_facets import UseFacets, drop_deleted, read_use_facets
from lineagegraph.store.datasets.dataset_versions import LastUsesRow, list_last_uses
from lineagegraph.store.jobs import details
from lineagegraph.store.jobs.details import DatasetDetailRow, FieldRow, OriginRow

_NEWEST_READS = 10


@lru_cache(maxsize=4096)
def schema_columns(body: str) -> tuple[FieldRow, ...]:
    """Return the columns of a schema facet; columns are shared, as thousands of versions repeat
    them.
    """
    columns = dict(list_columns(msgspec.json.decode(body)))
    return tuple(FieldRow(name, kind) for name, kind in columns.items())


class DatasetDetail(msgspec.Struct, frozen=True):
    """A dataset; `origins` has the source columns of its columns, if requested."""

    row: DatasetDetailRow
    facets: Facets
    origins: tuple[OriginRow, ...] = ()


def describe_datasets(tx: Transaction, keys: list[str]) -> list[DatasetDetail]:
    """Return datasets in the order of their keys."""
    found = {row.key: row for row in details.list_datasets(tx, keys=keys)}
    return [_detail(found[key]) for key in keys if key in found]


def describe_with_origins(
    tx: Transaction, keys: list[str], *, latest_columns: bool = False
) -> list[DatasetDetail]:
    """Return datasets in the order of their keys, with the source columns of their columns.

    Their facets include those that runs reported about the last version as an output or input.
    With `latest_columns`, the source columns are those that the newest runs state.
    """
    origins: dict[str, list[OriginRow]] = {}
    rows = details.list_origins(tx, keys=keys)
    if latest_columns:
        rows = last_stated(tx, rows, {row.target: row.target_dataset for row in rows})
    for row in rows:
        origins.setdefault(row.dataset, []).append(row)
    uses = _last_uses(tx, keys)
    return [
        msgspec.structs.replace(
            one,
            origins=tuple(origins.get(one.row.key, ())),
            facets=drop_deleted(one.facets | uses.facets(one.row)),
        )
        for one in describe_datasets(tx, keys)
    ]


class _LastUses(NamedTuple):
    by_dataset: dict[str, LastUsesRow]
    by_run: dict[str, UseFacets]

    def facets(self, row: DatasetDetailRow) -> Facets:
        """Return the facets of a dataset's last version; the newest of each name wins."""
        uses, found = self.by_dataset[row.key], Facets()
        if written := self.by_run.get(uses.writer or ""):
            found |= _under_any_name(row, written.outputs)
        for run in uses.readers:
            read = _under_any_name(row, self.by_run.get(run, UseFacets()).inputs)
            found |= {facet: body for facet, body in read.items() if describes_data(facet)}
        return found


def _under_any_name(row: DatasetDetailRow, uses: Mapping[tuple[str, str], Facets]) -> Facets:
    """Return the facets of a use; its own come last, and a change of life cycle is of one name."""
    found = Facets()
    for other in row.other_names:
        found |= uses.get((other.namespace, other.name), {})
    found.pop("lifecycleStateChange", None)
    return found | uses.get((row.namespace, row.name), {})


def _last_uses(tx: Transaction, keys: list[str]) -> _LastUses:
    rows = list_last_uses(tx, keys=keys, limit=_NEWEST_READS)
    runs = {run for row in rows for run in (row.writer, *row.readers) if run}
    return _LastUses({row.key: row for row in rows}, read_use_facets(tx, runs, with_claims=False))


def _detail(row: DatasetDetailRow) -> DatasetDetail:
    """Return a dataset with the columns of its schema, or else those known from lineage."""
    schema = next((facet.body for facet in row.facets if facet.name == "schema"), None)
    fields = row.fields if schema is None else schema_columns(schema)
    if row.field_tags:
        fields = tuple(_tagged(field, row) for field in fields)
    return DatasetDetail(msgspec.structs.replace(row, fields=fields), facet_map(row.facets))


def _tagged(field: FieldRow, row: DatasetDetailRow) -> FieldRow:
    tags = tuple(one.tag for one in row.field_tags if one.field == field.name)
    return msgspec.structs.replace(field, tags=tags)
