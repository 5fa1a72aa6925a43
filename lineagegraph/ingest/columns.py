"""Columns: which ones datasets have, and which ones they are derived from."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.column_facets import (
    Derivation,
    SharedDerivations,
    list_columns,
    list_own_derivations,
    list_shared_derivations,
)
from lineagegraph.model.names.keys import canonical_hash, canonical_json, dataset_key, field_key
from lineagegraph.model.runs.facts import DatasetFacts, TimeSpan
from lineagegraph.store.datasets import fields
from lineagegraph.store.jobs.jobs import ColumnFacet
from lineagegraph.store.runs import facets


class StatedColumns(NamedTuple):
    """A column lineage facet of a job and its output, and the time span of its reports.

    It is new if the job had never reported it of this output.
    """

    facet: ColumnFacet
    span: TimeSpan
    is_new: bool


Known = Mapping[str, tuple[DatasetFacts | None, DatasetFacts]]


def link_schemas(tx: Transaction, batch: Batch, known: Known) -> None:
    """Write the columns of the datasets whose schemas, or the order of these, are news.

    A column has the type of the latest schema that has it, and is current if that is the latest.
    """
    changed = {
        key: after
        for key, (before, after) in sorted(known.items())
        if after.schemas and (not before or before.schema_order != after.schema_order)
    }
    bodies = _load(tx, batch, {hash_ for after in changed.values() for hash_ in after.schemas})
    rows, current = [], []
    for key, after in changed.items():
        schemas = [dict(list_columns(bodies[hash_])) for hash_ in after.schema_order]
        for name, kind in _latest(schemas).items():
            rows.append(_column_row(key, name) | {"type": kind})
        current.append({"dataset_key": key, "names": list(schemas[0])})
    fields.merge_fields(tx, rows=sorted(rows, key=lambda row: str(row["key"])))
    fields.set_current(tx, rows=current)


def link_columns(tx: Transaction, batch: Batch, reported: Iterable[StatedColumns]) -> None:
    """Write the column lineage of jobs and their outputs from facets, and the times of these."""
    stated = list(reported)
    bodies = _load(tx, batch, {one.facet.hash for one in stated})
    columns: dict[str, dict[str, Any]] = {}
    links: dict[tuple[Any, ...], dict[str, Any]] = {}
    sets: dict[str, dict[str, Any]] = {}
    for facet, span, is_new in stated:
        body = bodies[facet.hash]
        own, shared_by = list(list_own_derivations(body)), list_shared_derivations(body)
        for derivation in own:
            row = _derivation_row(facet, derivation)
            identity = tuple(row.values())
            links[identity] = row | _times(links.get(identity), span)
        for shared in shared_by:
            set_ = _set_row(facet, shared)
            sets[set_["key"]] = set_ | _times(sets.get(set_["key"]), span)
        if is_new:
            columns |= _column_rows(facet, own, shared_by)
    fields.merge_fields(tx, rows=[columns[key] for key in sorted(columns)])
    fields.link_derivations(tx, rows=[links[key] for key in sorted(links)])
    fields.link_sets(tx, rows=[sets[key] for key in sorted(sets)])


def _column_rows(
    facet: ColumnFacet, own: list[Derivation], shared_by: list[SharedDerivations]
) -> dict[str, dict[str, Any]]:
    """Return all columns of a facet, by key."""
    rows: dict[str, dict[str, Any]] = {}
    names = [one.column for one in own] + [name for one in shared_by for name in one.columns]
    for derivation in (*own, *(one for shared in shared_by for one in shared.derivations)):
        rows |= _source_row(derivation)
    for name in names:
        row = _column_row(facet.dataset_key, name)
        rows[row["key"]] = row
    return rows


def _times(known: dict[str, Any] | None, span: TimeSpan) -> dict[str, str]:
    """Return the first and last time of a row that may have been stated before in the batch."""
    whole = span | TimeSpan(known["first_seen"], known["last_seen"]) if known else span
    return {"first_seen": whole.first, "last_seen": whole.last}


def _load(tx: Transaction, batch: Batch, hashes: set[str]) -> dict[str, Any]:
    """Return the bodies of facets, from the batch or else from the graph."""
    missing = sorted(hashes - batch.facets.keys())
    found = {
        row.hash: msgspec.json.decode(row.body) for row in facets.list_bodies(tx, hashes=missing)
    }
    return found | {hash_: batch.facets[hash_].body for hash_ in hashes & batch.facets.keys()}


def _latest(schemas: list[dict[str, str | None]]) -> dict[str, str | None]:
    return {name: kind for schema in reversed(schemas) for name, kind in schema.items()}


def _column_row(dataset: str, name: str) -> dict[str, Any]:
    return {"key": field_key(dataset, name), "dataset_key": dataset, "name": name, "type": None}


def _source_row(said: Derivation) -> dict[str, dict[str, Any]]:
    row = _column_row(dataset_key(said.source_namespace, said.source_dataset), said.source_column)
    return {str(row["key"]): row}


def _set_row(facet: ColumnFacet, shared: SharedDerivations) -> dict[str, Any]:
    """Return a set of columns with its sources; its key is the hash of both, and of the job."""
    columns = sorted({field_key(facet.dataset_key, name) for name in shared.columns})
    found = [_derivation_row(facet, one) for one in shared.derivations]
    sources = {canonical_json(row): row for row in found}
    ordered = [sources[text] for text in sorted(sources)]
    key = canonical_hash([facet.job_key, columns, ordered])[:32]
    return {"key": key, "job_key": facet.job_key, "columns": columns, "sources": ordered}


def _derivation_row(facet: ColumnFacet, said: Derivation) -> dict[str, Any]:
    source = dataset_key(said.source_namespace, said.source_dataset)
    return {
        "key": field_key(facet.dataset_key, said.column),
        "source_key": field_key(source, said.source_column),
        "job_key": facet.job_key,
        "type": said.type,
        "subtype": said.subtype,
        "description": said.description,
        "masking": said.masking,
    }
