"""Datasets and namespaces as Marquez writes them."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from lineagegraph.http.marquez.facet_text import facet_text, field_descriptions
from lineagegraph.http.marquez.job_answers import ByValue, LatestOfValueAnswer
from lineagegraph.http.marquez.run_answers import UNKNOWN_TIME
from lineagegraph.http.marquez.transformation_answers import (
    TransformationAnswer,
    transformation_answers,
)
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, Uuid, about
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.datasets.dataset_details import DatasetDetail
from lineagegraph.queries.runs.run_details import Facets
from lineagegraph.queries.tag_names import tag_names
from lineagegraph.store.jobs.details import FieldRow, Named, NamespaceRow, OriginRow

DatasetType = Literal["DB_TABLE", "STREAM"]
_STREAMS = ("STREAM", "TOPIC")


class InputFieldAnswer(AnswerStruct):
    """A column that another is made from, and how."""

    namespace: str
    dataset: str
    field: str
    transformation_description: Annotated[
        str | None, about("Description of the strongest transformation; null if not reported.")
    ]
    transformation_type: Annotated[
        str | None, about("Kind of the strongest transformation; DIRECT ones are the strongest.")
    ]
    transformations: Annotated[
        list[TransformationAnswer], about("Its transformations, the strongest first.")
    ]


class ColumnLineageAnswer(AnswerStruct):
    """A column and the columns that it is made from."""

    name: str
    input_fields: list[InputFieldAnswer]
    transformation_description: Annotated[
        str | None, about("Description of the strongest transformation of all its inputs.")
    ]
    transformation_type: Annotated[
        str | None, about("Kind of the strongest transformation of all its inputs.")
    ]


class FieldAnswer(AnswerStruct):
    """A column of a dataset."""

    name: str
    type: str | None
    tags: list[str]
    description: str | None


class DatasetAnswer(AnswerStruct):
    """A dataset."""

    id: Annotated[Named, about("Its namespace and name.")]
    type: Annotated[DatasetType, about("STREAM for a stream or topic, DB_TABLE for all others.")]
    name: Annotated[str, about("Name of the dataset.")]
    physical_name: Annotated[
        str, about("Name in its source, as its writer gave it; otherwise the name.")
    ]
    created_at: Annotated[
        Timestamp, about("First use by a job, or time of its schema; 1970 without both.")
    ]
    updated_at: Annotated[Timestamp, about("Last use by a job, or time of its schema.")]
    namespace: Annotated[str, about("Namespace of the dataset.")]
    source_name: Annotated[str, about("Source that its producer reports; `default` without one.")]
    fields: Annotated[list[FieldAnswer], about("Its columns.")]
    tags: Annotated[list[str], about("Names of its tags, in order.")]
    column_lineage: Annotated[
        list[ColumnLineageAnswer],
        about(
            "The origins of its columns; empty in lineage, where it is asked for at "
            "`/column-lineage`."
        ),
    ]
    last_modified_at: Annotated[
        Timestamp | None, about("Last write by a job; null if there was none.")
    ]
    last_lifecycle_state: Annotated[
        str | None,
        about("Last change of its life cycle, such as CREATE or DROP; null without one."),
    ]
    description: Annotated[
        str | None, about("Description that its producer reports; null without one.")
    ]
    current_version: Annotated[Uuid | None, about("The one that was written last.")]
    facets: Annotated[Facets, about("Its facets by name.")]
    schema_location: Annotated[str | None, about("Where the schema of a stream is.")]
    deleted: Annotated[bool, about("Whether its last change of life cycle is DROP.")]
    other_names: Annotated[list[Named], about("Its other names, from symlinks and renames.")]
    partitions: ByValue = UNSET


class NamespaceAnswer(AnswerStruct):
    """A namespace of jobs or datasets."""

    name: str
    created_at: Timestamp
    updated_at: Timestamp
    owner_name: str
    description: str | None
    is_hidden: bool


def dataset_answer(
    dataset: DatasetDetail, partitions: list[LatestOfValueAnswer] | UnsetType = UNSET
) -> DatasetAnswer:
    """Return a dataset."""
    row, facets = dataset.row, dataset.facets
    created = row.first_seen or UNKNOWN_TIME
    state = facet_text(facets, "lifecycleStateChange", "lifecycleStateChange")
    return DatasetAnswer(
        id=Named(row.namespace, row.name),
        type=dataset_type(facets),
        name=row.name,
        physical_name=facet_text(facets, "lineagegraph", "physicalName") or row.name,
        created_at=created,
        updated_at=row.last_seen or created,
        namespace=row.namespace,
        source_name=facet_text(facets, "dataSource", "name") or "default",
        fields=field_answers(row.fields, facets),
        tags=tag_names(row.tags, facets),
        column_lineage=_column_lineage(dataset),
        last_modified_at=row.written_at,
        last_lifecycle_state=state,
        description=facet_text(facets, "documentation", "description"),
        current_version=uuid_of(row.version),
        facets=facets,
        schema_location=facet_text(facets, "lineagegraph", "schemaLocation"),
        deleted=state == "DROP",
        other_names=list(row.other_names),
        partitions=partitions,
    )


def _column_lineage(dataset: DatasetDetail) -> list[ColumnLineageAnswer]:
    """Return the columns that are made from others; old clients read only the type of a column."""
    by_name = groupby(dataset.origins, key=lambda origin: origin.name)
    made_from = {name: _input_fields(origins) for name, origins in by_name}
    return [
        ColumnLineageAnswer(
            name, origins, strongest.transformation_description, strongest.transformation_type
        )
        for name, origins in made_from.items()
        if (strongest := strongest_input(origins))
    ]


def _input_fields(origins: Iterable[OriginRow]) -> list[InputFieldAnswer]:
    """Return each source column once, with all of its transformations."""
    by_source: dict[tuple[str, str, str], list[OriginRow]] = {}
    for one in origins:
        source = (one.source_namespace, one.source_dataset, one.source_name)
        by_source.setdefault(source, []).append(one)
    return [_input_field(*source, rows) for source, rows in by_source.items()]


def _input_field(
    namespace: str, dataset: str, field: str, rows: list[OriginRow]
) -> InputFieldAnswer:
    transformations = transformation_answers(rows)
    return InputFieldAnswer(
        namespace=namespace,
        dataset=dataset,
        field=field,
        transformation_description=transformations[0].description,
        transformation_type=transformations[0].kind,
        transformations=transformations,
    )


def strongest_input(inputs: Sequence[InputFieldAnswer]) -> InputFieldAnswer | None:
    """Return the input with the strongest transformation, the first of equal ones."""
    return min(inputs, key=lambda one: one.transformations[0].strength, default=None)


def dataset_type(facets: Facets) -> DatasetType:
    """Return the type that Marquez has for a dataset."""
    kind = facet_text(facets, "datasetType", "datasetType") or ""
    return "STREAM" if kind.upper() in _STREAMS else "DB_TABLE"


def namespace_answer(namespace: NamespaceRow, *, is_hidden: bool = False) -> NamespaceAnswer:
    """Return a namespace."""
    firsts = filter(None, (namespace.first_seen, namespace.created_at))
    lasts = filter(None, (namespace.last_seen, namespace.updated_at))
    created = min(firsts, default=UNKNOWN_TIME)
    return NamespaceAnswer(
        name=namespace.name,
        created_at=created,
        updated_at=max(lasts, default=created),
        owner_name=namespace.owner or "anonymous",
        description=namespace.description,
        is_hidden=is_hidden,
    )


def field_answers(fields: Iterable[FieldRow], facets: Facets) -> list[FieldAnswer]:
    """Return columns, described by the facets beside them; the list may be shared."""
    if "tags" in facets:
        return _field_answers(fields, facets)
    return _untagged_answers(tuple(fields), bytes(facets.get("schema", b"")))


# Thousands of datasets and versions repeat the same columns.
@lru_cache(maxsize=1024)
def _untagged_answers(fields: tuple[FieldRow, ...], schema: bytes) -> list[FieldAnswer]:
    return _field_answers(fields, {"schema": msgspec.Raw(schema)} if schema else {})


def _field_answers(fields: Iterable[FieldRow], facets: Facets) -> list[FieldAnswer]:
    described = field_descriptions(facets)
    return [
        FieldAnswer(
            name=field.name,
            type=field.type,
            tags=tag_names(field.tags, facets, field.name),
            description=described.get(field.name),
        )
        for field in fields
    ]
