"""What data came from and went to: jobs, datasets and columns."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class Reached(msgspec.Struct, frozen=True):
    """A job or dataset that a walk came to, `distance` edges away."""

    key: str
    is_job: bool
    distance: int


class ReachedColumn(msgspec.Struct, frozen=True):
    """A column that a walk came to, `distance` edges away."""

    key: str
    name: str
    type: str | None
    dataset: str
    distance: int


class AncestorRow(msgspec.Struct, frozen=True):
    """A job above another."""

    key: str
    namespace: str
    name: str
    simple_name: str
    kind: str | None


class JobRow(msgspec.Struct, frozen=True, tag="job"):
    """A job with its ancestors, root first; `name` is its FQN."""

    key: str
    namespace: str
    name: str
    simple_name: str
    kind: str | None
    state: str | None
    ancestors: tuple[AncestorRow, ...]


class ColumnRow(msgspec.Struct, frozen=True):
    """A column of a dataset."""

    key: str
    name: str
    type: str | None = None


class DatasetRow(msgspec.Struct, frozen=True, tag="dataset"):
    """A dataset with its current columns."""

    key: str
    namespace: str
    name: str
    columns: tuple[ColumnRow, ...]


class FlowRow(msgspec.Struct, frozen=True):
    """Data that flows between a job and a dataset, by key."""

    source: str
    target: str
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    runs: int | None = None


class DerivationRow(msgspec.Struct, frozen=True):
    """One column that is computed from another, by key."""

    source: str
    target: str
    job: str | None
    type: str
    subtype: str | None = None
    description: str | None = None


@bound
def walk_upstream(tx: Transaction, *, key: str, depth: int, limit: int) -> list[Reached]: ...


@bound
def walk_downstream(tx: Transaction, *, key: str, depth: int, limit: int) -> list[Reached]: ...


@bound
def list_job_nodes(tx: Transaction, *, keys: list[str]) -> list[JobRow]: ...


@bound
def list_dataset_nodes(tx: Transaction, *, keys: list[str]) -> list[DatasetRow]: ...


@bound
def list_flows(tx: Transaction, *, jobs: list[str], datasets: list[str]) -> list[FlowRow]: ...


@bound
def walk_columns_upstream(
    tx: Transaction, *, keys: list[str], types: list[str], depth: int, limit: int
) -> list[ReachedColumn]: ...


@bound
def walk_columns_downstream(
    tx: Transaction, *, keys: list[str], types: list[str], depth: int, limit: int
) -> list[ReachedColumn]: ...


@bound
def list_derivations(
    tx: Transaction, *, keys: list[str], types: list[str]
) -> list[DerivationRow]: ...
