"""Namespaces, jobs, runs and datasets with their details."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


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


class AboveRow(msgspec.Struct, frozen=True):
    """A job above another; `name` is its FQN."""

    key: str
    namespace: str
    name: str
    simple_name: str


class ParentRow(msgspec.Struct, frozen=True):
    """A run above another, with its own namespace and name."""

    id: str
    namespace: str | None
    name: str | None


class RunDetailRow(msgspec.Struct, frozen=True):
    """A run with the FQN of its job, its own namespace, and that of the job's topmost ancestor.

    `partition`, `params` and `cost` are JSON text.
    """

    id: str
    parent: ParentRow | None
    namespace: str | None
    top_namespace: str | None
    name: str | None
    simple_name: str | None
    state: str
    stub: bool
    created_at: datetime | None
    state_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    nominal_start: datetime | None
    nominal_end: datetime | None
    partition: str | None
    params: str | None
    cost: str | None
    version: str | None


class JobDetailRow(msgspec.Struct, frozen=True):
    """A job with its ancestors, root first, and its newest runs; `name` is its FQN.

    `declared` has the facts of job events, as JSON text.
    """

    key: str
    namespace: str
    name: str
    simple_name: str
    own_name: str
    kind: str | None
    stub: bool
    version: str | None
    ancestors: tuple[AboveRow, ...]
    inputs: tuple[Named, ...]
    outputs: tuple[Named, ...]
    created_at: datetime | None
    runs: tuple[RunDetailRow, ...]
    declared: tuple[str, ...]
    tags: tuple[str, ...]


class RunFacetRow(msgspec.Struct, frozen=True):
    """A facet of a run, or of a job as the run gave it; `body` is JSON text."""

    id: str
    name: str
    body: str


class RunUseRow(msgspec.Struct, frozen=True):
    """A read or write of a dataset by a run; one row for each version that it read.

    The first of these rows has the counts.
    `version` is the key of the dataset version, `writer` the run that wrote it, and `schema` the
    hash of the facet with its columns.
    """

    id: str
    dataset: str
    namespace: str
    name: str
    version: str | None
    writer: str | None
    schema: str | None
    row_count: int | None
    size: int | None
    file_count: int | None


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

    dataset: str
    name: str
    source_namespace: str
    source_dataset: str
    source_name: str
    type: str
    subtype: str | None
    description: str | None


class FacetRow(msgspec.Struct, frozen=True):
    """A facet; `body` is JSON text."""

    name: str
    body: str


class DatasetDetailRow(msgspec.Struct, frozen=True):
    """A dataset with its facets and the times of its use.

    `version` is the key of the last written one; `fields` has its columns if no schema
    facet names them.
    """

    key: str
    namespace: str
    name: str
    fields: tuple[FieldRow, ...]
    facets: tuple[FacetRow, ...]
    first_seen: datetime | None
    last_seen: datetime | None
    written_at: datetime | None
    hidden_at: datetime | None
    tags: tuple[str, ...]
    field_tags: tuple[FieldTagRow, ...]
    version: str | None


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
def list_reads(tx: Transaction, *, ids: list[str]) -> list[RunUseRow]: ...


@bound
def list_writes(tx: Transaction, *, ids: list[str]) -> list[RunUseRow]: ...


@bound
def list_datasets(tx: Transaction, *, keys: list[str]) -> list[DatasetDetailRow]: ...


@bound
def list_origins(tx: Transaction, *, keys: list[str]) -> list[OriginRow]: ...
