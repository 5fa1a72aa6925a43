"""Column lineage as Marquez writes it: a node is a column, with those that it is made from."""

from collections.abc import Iterable
from typing import Any

from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.lineage.column_versions import VersionedColumns
from lineagegraph.queries.lineage.lineage_graph import DatasetRow, DerivationRow
from lineagegraph.store.lineage.lineage import ColumnRow


def column_graph_shape(found: VersionedColumns, versioned: bool) -> dict[str, Any]:
    """Return the columns that are made from others or into others, by id.

    As Marquez has it, an edge in `inEdges` goes from the column to what it is made from.
    """
    places = {c.key: (one, c) for one in found.graph.datasets for c in one.columns}
    ids = {key: _id(found, *place, versioned) for key, place in places.items()}
    edges = [edge for edge in found.graph.derivations if {edge.source, edge.target} <= ids.keys()]
    into: dict[str, list[DerivationRow]] = {}
    before: dict[str, set[str]] = {}
    after: dict[str, set[str]] = {}
    for edge in edges:
        into.setdefault(edge.target, []).append(edge)
        before.setdefault(ids[edge.target], set()).add(ids[edge.source])
        after.setdefault(ids[edge.source], set()).add(ids[edge.target])
    ends = {end for edge in edges for end in (edge.source, edge.target)} | {*found.graph.roots}
    shown = sorted((ids[key], key) for key in ends if key in ids)
    nodes = [
        {
            "id": id_,
            "type": "DATASET_FIELD",
            "data": _data(found, places, key, into.get(key, ())),
            "inEdges": [_pair(id_, origin) for origin in sorted(before.get(id_, ()))],
            "outEdges": [_pair(id_, end) for end in sorted(after.get(id_, ()))],
        }
        for id_, key in shown
    ]
    return {"graph": nodes, "truncated": found.graph.cut}


def _pair(origin: str, destination: str) -> dict[str, str]:
    return {"origin": origin, "destination": destination}


Places = dict[str, tuple[DatasetRow, ColumnRow]]


def _data(
    found: VersionedColumns, places: Places, key: str, edges: Iterable[DerivationRow]
) -> dict[str, Any]:
    made_from = sorted(
        (_input(found, *places[edge.source], edge) for edge in edges),
        key=lambda one: [str(value) for value in one.values()],
    )
    first = made_from[0] if made_from else {}
    return {
        **_place(found, *places[key]),
        "fieldType": places[key][1].type or "",
        "transformationDescription": first.get("transformationDescription"),
        "transformationType": first.get("transformationType"),
        "inputFields": made_from,
    }


def _input(
    found: VersionedColumns, dataset: DatasetRow, column: ColumnRow, edge: DerivationRow
) -> dict[str, Any]:
    return {
        **_place(found, dataset, column),
        "transformationDescription": edge.description or None,
        "transformationType": edge.subtype or edge.type,
    }


def _place(found: VersionedColumns, dataset: DatasetRow, column: ColumnRow) -> dict[str, Any]:
    return {
        "namespace": dataset.namespace,
        "dataset": dataset.name,
        "datasetVersion": uuid_of(found.versions.get(dataset.key)),
        "field": column.name,
    }


def _id(found: VersionedColumns, dataset: DatasetRow, column: ColumnRow, versioned: bool) -> str:
    id_ = f"datasetField:{dataset.namespace}:{dataset.name}:{column.name}"
    version = uuid_of(found.versions.get(dataset.key)) if versioned else None
    return f"{id_}#{version}" if version else id_
