"""Namespaces, jobs, runs and datasets with their details."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.hand_mark import HandMark


class NamespaceOwnerRow(msgspec.Struct, frozen=True):
    """A namespace and its owner."""

    name: str
    owner: str


class NamespaceRow(msgspec.Struct, frozen=True):
    """A namespace with its owner, description, and the times of its first and last event."""

    name: str
    owner: str | None
    description: str | None
    created_at: datetime | None
    updated_at: datetime | None
    first_seen: datetime | None
    last_seen: datetime | None


class Named(msgspec.Struct, frozen=True):
    """The name of a dataset, or the own name of a job."""

    namespace: str
    name: str


class AboveRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A job above another; `name` is its FQN."""

    key: str
    namespace: str
    name: str
    simple_name: str


class ParentRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A run above another, with its own namespace and name."""

    id: str
    namespace: str | None
    name: str | None


class RunDetailRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A run with the FQN of its job, its own namespace, and that of the job's topmost ancestor.

    `partition`, `params` and `cost` are JSON text.
    """

    id: str  # id of the run
    parent: ParentRow | None  # run above it; None for a top-level run
    namespace: str | None  # namespace of its job; None if unknown
    top_namespace: str | None  # namespace of the topmost job above it; None if unknown
    name: str | None  # full name of its job; None if unknown
    simple_name: str | None  # last part of that name; None if unknown
    state: str  # its state; PENDING if none was reported
    stub: bool  # whether it has no event of its own yet
    created_at: datetime | None  # time at which it was queued or first reported; None if unknown
    state_at: datetime | None  # time of its last change of state; None if unknown
    started_at: datetime | None  # its start; None before it
    ended_at: datetime | None  # its end; None before it
    nominal_start: datetime | None  # start of its data interval; None without one
    nominal_end: datetime | None  # end of its data interval; None without one
    partition: str | None  # JSON text of its partition; None without one
    params: str | None  # JSON text of its parameters; None if none were reported
    cost: str | None  # JSON text of its Spark usage; None if none was reported
    version: str | None  # hash of the job's version that it ran; None if unknown
    mark: HandMark | None  # mark by hand that decides its state; None without one


class JobDetailRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A job with its ancestors, root first, and its newest runs; `name` is its FQN.

    `declared` has the facts of job events, as JSON text.
    """

    key: str  # key of the job
    namespace: str  # namespace of the job
    name: str  # full name of the job
    simple_name: str  # last part of the full name
    own_name: str  # name that the producer gives the job
    kind: str | None  # kind of the job; None if unknown
    stub: bool  # whether it is only named by others
    version: str | None  # hash of the active version, or of the newest run's; None if unknown
    ancestors: tuple[AboveRow, ...]  # jobs above it, root first
    inputs: tuple[Named, ...]  # visible datasets that it reads
    outputs: tuple[Named, ...]  # visible datasets that it writes
    created_at: datetime | None  # creation of its first run; None without runs
    runs: tuple[RunDetailRow, ...]  # its newest runs, newest first
    declared: tuple[str, ...]  # facts of job events, each as JSON text
    tags: tuple[str, ...]  # names of its tags


class RunFacetRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A facet of a run, or of a job as the run gave it; `body` is JSON text."""

    id: str
    name: str
    body: str


class JobFacetRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A facet of a job, and the time at which it was last reported; `body` is JSON text."""

    key: str
    name: str
    at: datetime
    body: str


class RunUseRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A read or write of a dataset by a run; one row for each version that it read.

    The first of these rows has the counts.
    `version` is the key of the dataset version, `writer` the run that wrote it, and `schema` the
    hash of the facet with its columns.
    """

    id: str  # id of the run
    dataset: str  # key of the dataset
    namespace: str  # namespace of the dataset
    name: str  # name of the dataset
    version: str | None  # key of the dataset version; None if none is known
    writer: str | None  # id of the run that wrote that version; None if unknown
    schema: str | None  # hash of the facet with the columns; None if none was reported
    row_count: int | None  # rows that were read or written; None if not reported
    size: int | None  # bytes that were read or written; None if not reported
    file_count: int | None  # files that were read or written; None if not reported


class FieldRow(msgspec.Struct, frozen=True):
    """A column."""

    name: str
    type: str | None
    tags: tuple[str, ...] = ()


class FieldTagRow(msgspec.Struct, frozen=True):
    """A tag of a column."""

    field: str
    tag: str


class OriginRow(msgspec.Struct, frozen=True):
    """A column of a dataset, by key, and one that it is made from."""

    dataset: str  # key of the derived column's dataset
    name: str  # name of the derived column
    source_namespace: str  # namespace of the source column's dataset
    source_dataset: str  # name of the source column's dataset
    source_name: str  # name of the source column
    target_dataset: str  # key of the dataset that has the derived column, which may be the same
    target: str  # key of the derived column
    source: str  # key of the source column
    job: str  # key of the deriving job
    type: str  # DIRECT or INDIRECT, as OpenLineage defines it
    subtype: str | None  # kind of transformation; None if not reported
    description: str | None  # description of the transformation; None if not reported
    masking: bool  # whether the source's values are masked
    first_seen: datetime | None  # time of the first report
    last_seen: datetime | None  # time of the last report


class FacetRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A facet; `body` is JSON text."""

    name: str
    body: str


class DatasetDetailRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A dataset with its facets and the times of its use.

    `version` is the key of the last written one; `fields` has its columns if no schema
    facet names them.
    """

    key: str  # key of the dataset
    namespace: str  # namespace of the dataset
    name: str  # name of the dataset
    fields: tuple[FieldRow, ...]  # columns known from lineage; empty if a schema was reported
    facets: tuple[FacetRow, ...]  # its facets by name
    first_seen: datetime | None  # first use by a job, or time of its schema; None without both
    last_seen: datetime | None  # last use by a job, or time of its schema; None without both
    written_at: datetime | None  # last write of a run that did not fail; None if there was none
    hidden_at: datetime | None  # time of its deletion by a user; None if it is visible
    tags: tuple[str, ...]  # names of its tags
    field_tags: tuple[FieldTagRow, ...]  # tags of its columns
    version: str | None  # key of the last written version; None if there is none
    same_as: str | None  # key of the one that stands for all with its names; None without others
    other_names: tuple[Named, ...]  # the names that it has beside its own


@bound
def list_namespace_owners(tx: Transaction, *, names: list[str]) -> list[NamespaceOwnerRow]: ...


@bound
def list_namespaces(tx: Transaction, *, names: list[str]) -> list[NamespaceRow]: ...


@bound
def list_jobs(tx: Transaction, *, keys: list[str], runs: int) -> list[JobDetailRow]: ...


@bound
def list_runs(tx: Transaction, *, ids: list[str]) -> list[RunDetailRow]: ...


@bound
def get_own_job(tx: Transaction, *, id: str) -> Named | None: ...


@bound
def list_run_facets(tx: Transaction, *, ids: list[str], scope: str) -> list[RunFacetRow]: ...


@bound
def list_job_facets(tx: Transaction, *, keys: list[str], name: str | None) -> list[JobFacetRow]: ...


@bound
def list_reads(tx: Transaction, *, ids: list[str]) -> list[RunUseRow]: ...


@bound
def list_writes(tx: Transaction, *, ids: list[str]) -> list[RunUseRow]: ...


@bound
def list_datasets(tx: Transaction, *, keys: list[str]) -> list[DatasetDetailRow]: ...


@bound
def list_origins(tx: Transaction, *, keys: list[str]) -> list[OriginRow]: ...
