"""Columns: which ones datasets have, and which ones they are derived from."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import SCHEMA, Batch
from lineagegraph.ingest.column_facets import Derivation, list_columns, list_derivations
from lineagegraph.ingest.run_rows import to_time
from lineagegraph.model.facts import DatasetFacts, Span, Stamped
from lineagegraph.model.names import dataset_key, field_key
from lineagegraph.store import facets, fields

Spans = Mapping[tuple[str, str, str], Span]


def link_schemas(
    tx: Transaction,
    batch: Batch,
    known: Mapping[str, tuple[DatasetFacts | None, DatasetFacts]],
) -> None:
    """Write the columns that a batch's schemas name, and mark those of the latest schema."""
    rows: dict[str, dict[str, Any]] = {}
    for key, said in batch.schemas:
        for row in _field_rows(batch, key, said):
            if row["type_said"] >= rows.get(row["key"], row)["type_said"]:
                rows[row["key"]] = row
    fields.merge_fields(tx, rows=[rows[key] for key in sorted(rows)])
    current = []
    for key, (before, after) in sorted(known.items()):
        schema = after.get(SCHEMA)
        if schema and (not before or before.get(SCHEMA) != schema):
            names = [name for name, _ in list_columns(batch.facets[schema][1])]
            current.append({"dataset_key": key, "names": names})
    fields.set_current(tx, rows=current)


def link_columns(tx: Transaction, batch: Batch, spans: Spans) -> None:
    """Write the column lineage that jobs do; bodies come from the batch or from the graph."""
    missing = sorted({hash_ for *_, hash_ in spans if hash_ not in batch.facets})
    bodies = {hash_: body for hash_, (_, body) in batch.facets.items()}
    for found in facets.list_bodies(tx, hashes=missing):
        bodies[found.hash] = msgspec.json.decode(found.body)
    columns: dict[str, dict[str, Any]] = {}
    links: dict[tuple[str, ...], dict[str, Any]] = {}
    for (job_key, output, hash_), span in spans.items():
        for derivation in list_derivations(bodies[hash_]):
            row = _derivation_row(job_key, output, derivation, span)
            _keep(links, row, span)
            source = dataset_key(derivation.source_namespace, derivation.source_dataset)
            columns[row["key"]] = _column_row(output, derivation.column)
            columns[row["source_key"]] = _column_row(source, derivation.source_column)
    fields.merge_fields(tx, rows=[columns[key] for key in sorted(columns)])
    fields.link_derivations(tx, rows=[links[key] for key in sorted(links)])


def _field_rows(batch: Batch, key: str, said: Stamped) -> Iterator[dict[str, Any]]:
    for name, kind in list_columns(batch.facets[said.value][1]):
        spelled = f"{said.rank} {said.at} {kind}"
        yield _column_row(key, name) | {"type": kind, "type_said": spelled}


def _column_row(dataset: str, name: str) -> dict[str, Any]:
    key = field_key(dataset, name)
    return {"key": key, "dataset_key": dataset, "name": name, "type": None, "type_said": ""}


def _derivation_row(job_key: str, output: str, said: Derivation, span: Span) -> dict[str, Any]:
    source = dataset_key(said.source_namespace, said.source_dataset)
    return {
        "key": field_key(output, said.column),
        "source_key": field_key(source, said.source_column),
        "job_key": job_key,
        "type": said.type,
        "subtype": said.subtype,
        "description": said.description,
        "first_seen": to_time(span.first),
        "last_seen": to_time(span.last),
    }


def _keep(links: dict[tuple[str, ...], dict[str, Any]], row: dict[str, Any], span: Span) -> None:
    parts = ("key", "source_key", "job_key", "type", "subtype", "description")
    key = tuple(row[part] for part in parts)
    known = links.setdefault(key, row)
    known["first_seen"] = min(known["first_seen"], to_time(span.first))
    known["last_seen"] = max(known["last_seen"], to_time(span.last))
