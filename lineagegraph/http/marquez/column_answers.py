"""Column lineage as Marquez writes it: a node is a column, with the columns it is made from."""

from collections.abc import Iterable
from typing import Annotated, Literal

from lineagegraph.http.marquez.dataset_answers import InputFieldAnswer, strongest_input
from lineagegraph.http.marquez.lineage_answers import EdgeAnswer
from lineagegraph.http.marquez.transformation_answers import transformation_answers
from lineagegraph.http.plumbing.answers import AnswerStruct, Uuid, about
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.lineage.column_versions import VersionedColumns
from lineagegraph.store.lineage.lineage import ColumnRow, DatasetRow, DerivationRow

# Columns with their datasets, by key.
Places = dict[str, tuple[DatasetRow, ColumnRow]]


class VersionedInputFieldAnswer(InputFieldAnswer):
    """A column that another is made from, and the version of its dataset."""

    dataset_version: Uuid | None


class ColumnAnswer(AnswerStruct):
    """A column and the columns that it is made from."""

    namespace: Annotated[str, about("Namespace of its dataset.")]
    dataset: Annotated[str, about("Name of its dataset.")]
    dataset_version: Annotated[
        Uuid | None, about("Version of its dataset; null without versions in the request.")
    ]
    field: Annotated[str, about("Name of the column.")]
    field_type: Annotated[str, about("Its type; empty if unknown.")]
    transformation_description: Annotated[
        str | None, about("Description of its strongest transformation; null if not reported.")
    ]
    transformation_type: Annotated[
        str | None,
        about("Kind of that transformation; null without origins. DIRECT is the strongest."),
    ]
    input_fields: Annotated[list[VersionedInputFieldAnswer], about("Columns that it is made from.")]


class ColumnNodeAnswer(AnswerStruct):
    """A column; as Marquez has it, an edge in `inEdges` goes from it to its origin."""

    id: str
    type: Literal["DATASET_FIELD"]
    data: ColumnAnswer
    in_edges: list[EdgeAnswer]
    out_edges: Annotated[list[EdgeAnswer], about("They go from it to columns made from it.")]


class ColumnGraphAnswer(AnswerStruct):
    """Columns by id."""

    graph: list[ColumnNodeAnswer]
    truncated: bool


def column_graph_answer(found: VersionedColumns, versioned: bool) -> ColumnGraphAnswer:
    """Return the columns that are made from others or into others, by id."""
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
        ColumnNodeAnswer(
            id=id_,
            type="DATASET_FIELD",
            data=_column(found, places, key, into.get(key, ())),
            in_edges=[EdgeAnswer(id_, origin) for origin in sorted(before.get(id_, ()))],
            out_edges=[EdgeAnswer(id_, end) for end in sorted(after.get(id_, ()))],
        )
        for id_, key in shown
    ]
    return ColumnGraphAnswer(nodes, found.graph.cut)


def _column(
    found: VersionedColumns, places: Places, key: str, edges: Iterable[DerivationRow]
) -> ColumnAnswer:
    dataset, column = places[key]
    by_source: dict[str, list[DerivationRow]] = {}
    for edge in edges:
        by_source.setdefault(edge.source, []).append(edge)
    inputs = (_input(found, *places[source], rows) for source, rows in by_source.items())
    made_from = sorted(inputs, key=_order)
    first = strongest_input(made_from)
    return ColumnAnswer(
        namespace=dataset.namespace,
        dataset=dataset.name,
        dataset_version=_version(found, dataset),
        field=column.name,
        field_type=column.type or "",
        transformation_description=first.transformation_description if first else None,
        transformation_type=first.transformation_type if first else None,
        input_fields=made_from,
    )


def _input(
    found: VersionedColumns, dataset: DatasetRow, column: ColumnRow, edges: list[DerivationRow]
) -> VersionedInputFieldAnswer:
    transformations = transformation_answers(edges)
    return VersionedInputFieldAnswer(
        namespace=dataset.namespace,
        dataset=dataset.name,
        dataset_version=_version(found, dataset),
        field=column.name,
        transformation_description=transformations[0].description,
        transformation_type=transformations[0].kind,
        transformations=transformations,
    )


def _order(one: VersionedInputFieldAnswer) -> tuple[str, ...]:
    return (one.namespace, one.dataset, str(one.dataset_version), one.field)


def _version(found: VersionedColumns, dataset: DatasetRow) -> str | None:
    return uuid_of(found.versions.get(dataset.key))


def _id(found: VersionedColumns, dataset: DatasetRow, column: ColumnRow, versioned: bool) -> str:
    id_ = f"datasetField:{dataset.namespace}:{dataset.name}:{column.name}"
    version = _version(found, dataset) if versioned else None
    return f"{id_}#{version}" if version else id_
