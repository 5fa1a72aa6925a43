"""Versions of datasets with their columns, facets and the run that wrote them."""

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import canonical_hash, dataset_key
from lineagegraph.model.runs.facts import DatasetFacts, decode_facts
from lineagegraph.model.typed import decode_json
from lineagegraph.queries.datasets.dataset_details import schema_columns
from lineagegraph.queries.jobs.pages import Cut, Page
from lineagegraph.queries.runs.run_details import Facets, RunDetail, list_runs
from lineagegraph.queries.runs.use_facets import Hashes, drop_deleted, named_bodies, read_bodies
from lineagegraph.store.datasets.dataset_versions import (
    DatasetVersionRow,
    ReportRow,
    count_keys,
    list_keys,
    list_keys_of_same,
    list_reports,
    list_stated,
    list_versions,
)
from lineagegraph.store.datasets.names import list_same
from lineagegraph.store.jobs.addresses import list_addressed_datasets
from lineagegraph.store.jobs.details import FieldRow
from lineagegraph.store.runs.facets import list_bodies

# A run that reports for days says the same of its data again and again.
_NEWEST_EVENTS = 50
_Written = dict[tuple[str | None, str, str], Hashes]


class _Output(msgspec.Struct, rename="camel"):
    namespace: str
    name: str
    facets: Hashes | None = None
    output_facets: Hashes | None = None


class _Event(msgspec.Struct):
    outputs: list[_Output] | None = None


def read_version_facets(tx: Transaction, rows: Iterable[DatasetVersionRow]) -> dict[str, Facets]:
    """Return the facets of each version, by its key, without deleted ones."""
    rows = list(rows)
    ids = sorted({row.run for row in rows if row.run})
    said = _last_said(list_reports(tx, ids=ids, limit=_NEWEST_EVENTS))
    hashes = {row.key: said.get((row.run, row.namespace, row.name), {}) for row in rows}
    bodies = read_bodies(tx, hashes.values())
    return {key: drop_deleted(named_bodies(found, bodies)) for key, found in hashes.items()}


def _last_said(reports: Iterable[ReportRow]) -> _Written:
    """Return the hashes of facets by run and dataset; the latest event wins."""
    said: _Written = {}
    for report in reports:
        for output in decode_json(report.body, into=_Event).outputs or ():
            known = said.setdefault((report.run, output.namespace, output.name), {})
            known |= (output.facets or {}) | (output.output_facets or {})
    return said


class DatasetVersionDetail(msgspec.Struct, frozen=True):
    """A version, its columns, and the run that wrote it."""

    row: DatasetVersionRow
    fields: tuple[FieldRow, ...]
    facets: Facets
    run: RunDetail | None


def page_dataset_versions(
    graph: Graph, namespace: str, name: str, inherit: bool, cut: Cut
) -> Page[DatasetVersionDetail]:
    """Return the versions of a dataset, newest first."""

    def work(tx: Transaction) -> Page[DatasetVersionDetail]:
        key = _existing(tx, namespace, name)
        same = [key, *list_same(tx, key=key)]
        written = count_keys(tx, keys=same)
        stated = _list_stated(tx, same, is_written=written > 0)
        # Versions without a run are few, and can be anywhere among the others.
        offset = max(0, cut.offset - len(stated))
        limit = cut.offset + cut.limit - offset
        if len(same) == 1:
            keys = list_keys(tx, key=key, limit=limit, offset=offset)
        else:
            keys = list_keys_of_same(tx, keys=same, limit=limit, offset=offset)
        found = describe_dataset_versions(tx, keys, inherit)
        if stated:
            found = sorted([*found, *stated], key=_age, reverse=True)
            found = found[cut.offset - offset :][: cut.limit]
        return Page(tuple(found), written + len(stated))

    return graph.read(work)


def read_dataset_version(
    graph: Graph, namespace: str, name: str, version: str, inherit: bool
) -> DatasetVersionDetail:
    """Return the version of a dataset that has a key."""

    def work(tx: Transaction) -> list[DatasetVersionDetail]:
        key = _existing(tx, namespace, name)
        same = {key, *list_same(tx, key=key)}
        found = describe_dataset_versions(tx, [version], inherit)
        if not found:
            stated = _list_stated(tx, sorted(same), is_written=False)
            stated += _list_stated(tx, sorted(same), is_written=True)
            found = [one for one in stated if one.row.key == version]
        return [one for one in found if one.row.dataset in same]

    for found in graph.read(work):
        return found
    raise NotFound(f"dataset {name!r} in namespace {namespace!r} has no such version")


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


def _list_stated(
    tx: Transaction, keys: list[str], *, is_written: bool
) -> list[DatasetVersionDetail]:
    """Return the versions of datasets that dataset events, or only readers, stated."""
    rows = [
        DatasetVersionRow(
            key=canonical_hash([row.dataset, "stated", schema])[:32],
            dataset=row.dataset,
            namespace=row.namespace,
            name=row.name,
            created_at=datetime.fromisoformat(at),
            is_written=True,
            version=None,
            run=None,
            schema=schema or None,
            tags=row.tags,
        )
        for row in list_stated(tx, keys=keys)
        for at, schema in decode_facts(row.facts, DatasetFacts).versions(is_written=is_written)
    ]
    bodies = {
        row.hash: row.body
        for row in list_bodies(tx, hashes=sorted({row.schema for row in rows if row.schema}))
    }
    return [
        DatasetVersionDetail(
            row,
            schema_columns(body) if body else (),
            {"schema": msgspec.Raw(body.encode())} if body else {},
            None,
        )
        for row in rows
        for body in (bodies.get(row.schema or ""),)
    ]


def _age(version: DatasetVersionDetail) -> tuple[str, str]:
    created = version.row.created_at
    return (created.astimezone(UTC).isoformat() if created else "", version.row.key)


def read_columns(tx: Transaction, schemas: Iterable[str | None]) -> dict[str, tuple[FieldRow, ...]]:
    """Return the columns of schema facets, by hash."""
    bodies = list_bodies(tx, hashes=sorted({hash_ for hash_ in schemas if hash_}))
    return {row.hash: schema_columns(row.body) for row in bodies}


def _existing(tx: Transaction, namespace: str, name: str) -> str:
    key = dataset_key(namespace, name)
    if not list_addressed_datasets(tx, keys=[key]):
        raise NotFound(f"no dataset {name!r} in namespace {namespace!r}")
    return key
