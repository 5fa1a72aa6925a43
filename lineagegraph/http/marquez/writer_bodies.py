"""The bodies that Marquez's own writers send, from before OpenLineage."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from lineagegraph.http.plumbing.answers import about

# Tags are found by an index, which takes no long texts.
TagName = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
# Times without a zone are taken as well.
_Time = Annotated[datetime, about(format="date-time")]


class FieldBody(msgspec.Struct):
    """A column."""

    name: Annotated[str, about(minLength=1)]
    type: str | None = None
    tags: list[TagName] | None = None
    description: str | None = None


class DatasetBody(msgspec.Struct, rename="camel", kw_only=True):
    """A dataset to create; `runId` is the run that wrote it so."""

    type: Annotated[
        Literal["DB_TABLE", "STREAM"], about("STREAM for a stream, DB_TABLE for all others.")
    ]
    physical_name: Annotated[str, about("Name in the source.")]
    source_name: Annotated[str, about("Name of a source that exists.")]
    fields: Annotated[list[FieldBody] | None, about("Columns of the dataset.")] = None
    tags: Annotated[list[TagName] | None, about("Names of tags to attach.")] = None
    description: Annotated[str | None, about("Description for people.")] = None
    schema_location: Annotated[str | None, about("URL of the schema of a stream.")] = None
    run_id: Annotated[UUID | None, about("Run that wrote it.")] = None


class NameBody(msgspec.Struct):
    """The name of a dataset."""

    namespace: str
    name: str


class JobBody(msgspec.Struct, rename="camel", kw_only=True):
    """A job to create; `runId` is a run of it that has these inputs and outputs."""

    type: Annotated[
        Literal["BATCH", "STREAM", "SERVICE"],
        about("Kind of processing: in batches, of a stream, or as a service."),
    ]
    inputs: Annotated[list[NameBody], about("Datasets that it reads; each exists.")]
    outputs: Annotated[list[NameBody], about("Datasets that it writes; each exists.")]
    location: Annotated[str | None, about("URL of its source code.")] = None
    description: Annotated[str | None, about("Description for people.")] = None
    context: Annotated[dict[str, Any] | None, about("`sql` is kept as the job's SQL.")] = None
    tags: Annotated[list[TagName] | None, about("Names of tags to attach.")] = None
    run_id: Annotated[UUID | None, about("Run of the job with these inputs and outputs.")] = None


class RunBody(msgspec.Struct, rename="camel", kw_only=True):
    """A run that is to start later."""

    id: UUID | None = None
    nominal_start_time: _Time | None = None
    nominal_end_time: _Time | None = None
    args: dict[str, Any] | None = None
