"""Datasets and namespaces as Marquez writes them."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from lineagegraph.http.marquez.facet_text import facet_text, field_descriptions
from lineagegraph.http.marquez.run_shapes import UNKNOWN_TIME
from lineagegraph.http.marquez.tag_names import tag_names
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.datasets.dataset_details import DatasetDetail
from lineagegraph.queries.runs.run_details import Facets
from lineagegraph.store.jobs.details import FieldRow, NamespaceRow, OriginRow

_STREAMS = ("STREAM", "TOPIC")


def dataset_shape(dataset: DatasetDetail) -> dict[str, Any]:
    """Return a dataset."""
    row = dataset.row
    created = row.first_seen or UNKNOWN_TIME
    state = facet_text(dataset.facets, "lifecycleStateChange", "lifecycleStateChange")
    return {
        "id": {"namespace": row.namespace, "name": row.name},
        "type": dataset_type(dataset.facets),
        "name": row.name,
        "physicalName": facet_text(dataset.facets, "lineagegraph", "physicalName") or row.name,
        "createdAt": created,
        "updatedAt": row.last_seen or created,
        "namespace": row.namespace,
        "sourceName": facet_text(dataset.facets, "dataSource", "name") or "default",
        "fields": fields_shape(row.fields, dataset.facets),
        "tags": tag_names(row.tags, dataset.facets),
        "columnLineage": _column_lineage(dataset),
        "lastModifiedAt": row.written_at,
        "lastLifecycleState": state,
        "description": facet_text(dataset.facets, "documentation", "description"),
        "currentVersion": uuid_of(row.version),
        "facets": dataset.facets,
        "schemaLocation": facet_text(dataset.facets, "lineagegraph", "schemaLocation"),
        "deleted": state == "DROP",
    }


def _column_lineage(dataset: DatasetDetail) -> list[dict[str, Any]]:
    """Return the columns that are made from others; the first says how for older clients."""
    by_name = groupby(dataset.origins, key=lambda origin: origin.name)
    made_from = {name: [_input_field(one) for one in origins] for name, origins in by_name}
    return [
        {
            "name": name,
            "inputFields": sources,
            "transformationDescription": sources[0]["transformationDescription"],
            "transformationType": sources[0]["transformationType"],
        }
        for name, sources in made_from.items()
    ]


def _input_field(origin: OriginRow) -> dict[str, Any]:
    return {
        "namespace": origin.source_namespace,
        "dataset": origin.source_dataset,
        "field": origin.source_name,
        "transformationDescription": origin.description or None,
        "transformationType": origin.subtype or origin.type,
    }


def dataset_type(facets: Facets) -> str:
    """Return the type that Marquez has for a dataset."""
    kind = facet_text(facets, "datasetType", "datasetType") or ""
    return "STREAM" if kind.upper() in _STREAMS else "DB_TABLE"


def namespace_shape(namespace: NamespaceRow) -> dict[str, Any]:
    """Return a namespace."""
    firsts = filter(None, (namespace.first_seen, namespace.created_at))
    lasts = filter(None, (namespace.last_seen, namespace.updated_at))
    created = min(firsts, default=UNKNOWN_TIME)
    return {
        "name": namespace.name,
        "createdAt": created,
        "updatedAt": max(lasts, default=created),
        "ownerName": namespace.owner or "anonymous",
        "description": namespace.description,
        "isHidden": False,
    }


def fields_shape(fields: Iterable[FieldRow], facets: Facets) -> list[dict[str, Any]]:
    """Return columns, with what the facets beside them say of each."""
    described = field_descriptions(facets)
    return [
        {
            "name": field.name,
            "type": field.type,
            "tags": tag_names(field.tags, facets, field.name),
            "description": described.get(field.name),
        }
        for field in fields
    ]
