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

    type: Literal["DB_TABLE", "STREAM"]
    physical_name: str
    source_name: str
    fields: list[FieldBody] | None = None
    tags: list[TagName] | None = None
    description: str | None = None
    schema_location: str | None = None
    run_id: UUID | None = None


class NameBody(msgspec.Struct):
    """The name of a dataset."""

    namespace: str
    name: str


class JobBody(msgspec.Struct, rename="camel", kw_only=True):
    """A job to create; `runId` is a run of it that has these inputs and outputs."""

    type: Literal["BATCH", "STREAM", "SERVICE"]
    inputs: list[NameBody]
    outputs: list[NameBody]
    location: str | None = None
    description: str | None = None
    context: Annotated[dict[str, Any] | None, about("`sql` is kept as the job's SQL.")] = None
    tags: list[TagName] | None = None
    run_id: UUID | None = None


class RunBody(msgspec.Struct, rename="camel", kw_only=True):
    """A run that is to start later."""

    id: UUID | None = None
    nominal_start_time: _Time | None = None
    nominal_end_time: _Time | None = None
    args: dict[str, Any] | None = None
