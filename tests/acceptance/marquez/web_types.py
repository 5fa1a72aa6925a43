"""What Marquez's web UI takes for granted in answers: a struct for each of its types."""

from typing import Any, Literal

import msgspec

State = Literal["NEW", "RUNNING", "COMPLETED", "FAILED", "ABORTED"]
Map = dict[str, Any]


class Type(msgspec.Struct, rename="camel"):
    """A type of the web UI; members that it never reads are left out."""


class Name(Type):
    namespace: str
    name: str


class Namespace(Type):
    name: str
    created_at: str
    updated_at: str
    owner_name: str
    description: str | None
    is_hidden: bool


class Namespaces(Type):
    namespaces: list[Namespace]


class Tag(Type):
    name: str
    description: str | None


class Tags(Type):
    tags: list[Tag]


class JobVersion(Type):
    namespace: str
    name: str
    version: str


class Run(Type):
    id: str
    created_at: str
    updated_at: str
    nominal_start_time: str | None
    nominal_end_time: str | None
    state: State
    started_at: str | None
    ended_at: str | None
    duration_ms: int | None
    args: dict[str, str]
    job_version: JobVersion | None
    facets: Map


class Runs(Type):
    runs: list[Run]
    total_count: int


class Facets(Type):
    run_id: str
    facets: dict[str, Map]


class Job(Type):
    id: Name
    type: Literal["BATCH", "STREAM", "SERVICE"]
    name: str
    simple_name: str
    created_at: str
    updated_at: str
    namespace: str
    inputs: list[Name]
    outputs: list[Name]
    location: str | None
    description: str | None
    latest_run: Run | None
    tags: list[str]
    parent_job_name: str | None
    parent_job_uuid: str | None


class ListedJob(Job, kw_only=True):
    latest_runs: list[Run]


class Jobs(Type):
    jobs: list[ListedJob]
    total_count: int


class Field(Type):
    name: str
    type: str | None
    tags: list[str]
    description: str | None


class Dataset(Type):
    id: Name
    type: Literal["DB_TABLE", "STREAM"]
    name: str
    physical_name: str
    created_at: str
    updated_at: str
    namespace: str
    source_name: str
    fields: list[Field]
    tags: list[str]
    last_modified_at: str | None
    description: str | None
    facets: Map


class InputField(Type):
    namespace: str
    dataset: str
    field: str
    transformation_description: str | None
    transformation_type: str | None


class InputFields(Type):
    name: str
    input_fields: list[InputField]


class ListedDataset(Dataset, kw_only=True):
    column_lineage: list[InputFields] | None
    deleted: bool


class Datasets(Type):
    datasets: list[ListedDataset]
    total_count: int


class VersionId(Name):
    version: str


class DatasetVersion(Type):
    id: VersionId
    type: Literal["DB_TABLE", "STREAM"]
    created_by_run: Run | None
    name: str
    physical_name: str
    created_at: str
    version: str
    namespace: str
    source_name: str
    fields: list[Field]
    tags: list[str]
    lifecycle_state: str | None
    description: str | None
    facets: Map


class DatasetVersions(Type):
    versions: list[DatasetVersion]
    total_count: int


class EventRun(Type):
    run_id: str


class Event(Type):
    event_type: Literal["START", "RUNNING", "ABORT", "FAIL", "COMPLETE"]
    event_time: str
    producer: str
    run: EventRun
    job: Name
    inputs: list[Name]
    outputs: list[Name]


class Events(Type):
    events: list[Event]
    total_count: int


class Edge(Type):
    origin: str
    destination: str


class Node(Type):
    id: str
    in_edges: list[Edge]
    out_edges: list[Edge]


class JobNode(Node, tag_field="type", tag="JOB", kw_only=True):
    data: Job


class DatasetNode(Node, tag_field="type", tag="DATASET", kw_only=True):
    data: Dataset


class Lineage(Type):
    graph: list[JobNode | DatasetNode]


class ColumnData(Type):
    namespace: str
    dataset: str
    dataset_version: str | None
    field: str
    field_type: str | None
    transformation_description: str | None
    transformation_type: str | None
    input_fields: list[InputField]


class ColumnNode(Node, tag_field="type", tag="DATASET_FIELD", kw_only=True):
    data: ColumnData


class ColumnLineage(Type):
    graph: list[ColumnNode]


class Found(Type):
    name: str
    namespace: str
    node_id: str
    type: Literal["JOB", "DATASET"]
    updated_at: str


class Search(Type):
    total_count: int
    results: list[Found]


class DatasetHit(msgspec.Struct):
    name: str
    namespace: str
    facets: Map


class JobHit(DatasetHit, kw_only=True):
    run_id: str
    event_type: str = msgspec.field(name="eventType")
    run_facets: Map = msgspec.field(name="runFacets")


class JobHits(Type):
    hits: list[JobHit]
    highlights: list[dict[str, list[str]]]


class DatasetHits(Type):
    hits: list[DatasetHit]
    highlights: list[dict[str, list[str]]]


class EventCount(Type):
    start_interval: str
    end_interval: str
    fail: int
    start: int
    complete: int
    abort: int


class Count(Type):
    start_interval: str
    end_interval: str
    count: int
