"""Lineage of jobs, datasets and columns."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.store.jobs.details import Named


class Reached(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A job or dataset that a walk came to, `distance` edges away.

    `is_same` if the dataset is the same as others: steps between these count in `distance`.
    """

    key: str
    is_job: bool
    distance: int
    is_same: bool


class Joined(msgspec.Struct, frozen=True):
    """A job or dataset that data comes from or goes to."""

    key: str
    is_job: bool


class NearColumn(msgspec.Struct, frozen=True):
    """A column one step away, and the key of its dataset; `others` are the same as this one.

    `same_as` is the one of them that stands for all.
    """

    key: str
    name: str
    type: str | None
    dataset: str
    hidden: bool
    same_as: str | None
    others: tuple[str, ...]


class AncestorRow(msgspec.Struct, frozen=True):
    """A job above another."""

    key: str
    namespace: str
    name: str
    simple_name: str
    kind: str | None


class JobRow(msgspec.Struct, frozen=True, tag="job"):
    """A job with its ancestors."""

    key: str  # key of the job
    namespace: str  # namespace of the job
    name: str  # its FQN
    simple_name: str  # last part of its FQN
    kind: str | None  # kind of the job; None if not reported
    state: str | None  # state of its newest run; None without runs
    ancestors: tuple[AncestorRow, ...]  # the jobs above it, root first
    is_incomplete: bool = False  # whether the lineage of its newest run is incomplete


class ColumnRow(msgspec.Struct, frozen=True):
    """A column of a dataset."""

    key: str
    name: str
    type: str | None = None


class DatasetRow(msgspec.Struct, frozen=True, tag="dataset"):
    """A dataset with its current columns.

    `quality` is the worst of the latest verdicts of its assertions; None without any.
    """

    key: str
    namespace: str
    name: str
    columns: tuple[ColumnRow, ...]
    quality: str | None = None


class FlowEnds(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The job and the dataset, by key, between which data flows."""

    source: str
    target: str


class OrderedJobs(msgspec.Struct, frozen=True):
    """A job, by key, and one that comes after it."""

    source: str
    target: str


class FlowCounts(msgspec.Struct, frozen=True):
    """How many jobs or datasets are next before and next after one."""

    key: str
    before: int
    after: int


class FlowRow(msgspec.Struct, frozen=True):
    """Data that flows between a job and a dataset, by key."""

    source: str
    target: str
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    runs: int | None = None


class DerivationRow(msgspec.Struct, frozen=True):
    """One column that is computed from another, by key."""

    source: str  # key of the source column
    target: str  # key of the derived column
    job: str | None  # key of the deriving job; None for versions
    type: str  # DIRECT or INDIRECT
    subtype: str | None = None  # kind of transformation; None or empty if not reported
    description: str | None = None  # of the transformation; None or empty if not reported
    masking: bool = False  # whether the source's values are masked
    first_seen: datetime | None = None  # time of the first report; None for versions
    last_seen: datetime | None = None  # time of the last report; None for versions


class LastStatement(msgspec.Struct, frozen=True):
    """The last facts of a job about a dataset, as JSON text: of one run, or of declarations."""

    job: str
    dataset: str
    ran: tuple[str, ...]
    declared: tuple[str, ...]


class UnusedDerivation(msgspec.Struct, frozen=True):
    """A column derived from another, not reported for long."""

    namespace: str  # namespace of the derived column's dataset
    dataset: str  # name of that dataset
    field: str  # name of the derived column
    source_namespace: str  # namespace of the source column's dataset
    source_dataset: str  # name of that dataset
    source_field: str  # name of the source column
    job: str  # FQN of the deriving job
    type: str  # DIRECT or INDIRECT
    subtype: str | None  # kind of transformation; None or empty if not reported
    first_seen: datetime  # time of the first report
    last_seen: datetime  # time of the last report


class JobAtRow(msgspec.Struct, frozen=True):
    """The inputs and outputs of a job up to a time, and the id of its newest run then, if any."""

    key: str
    inputs: tuple[Named, ...]
    outputs: tuple[Named, ...]
    runs: tuple[str, ...]


class OpenWrite(msgspec.Struct, frozen=True):
    """A run that reported more later, and the key of the version that it writes."""

    run: str
    version: str


class WritersAtRow(msgspec.Struct, frozen=True):
    """The writes of a dataset up to a time: by runs with later events, and by the others.

    Of the others: the last writer and its time; since when the newest version is true, its key and
    the last report of its writer; the last schema. `facts` are those of today, as JSON text.
    """

    key: str
    facts: str | None
    open: tuple[OpenWrite, ...]
    last: tuple[datetime, str] | None
    version: tuple[datetime, str, datetime] | None
    schema: tuple[datetime, str] | None


class ReadersAtRow(msgspec.Struct, frozen=True):
    """How a dataset was read by a time: by runs that reported more later, and by the others."""

    key: str
    open: tuple[str, ...]
    last_seen: datetime | None
    schema: tuple[datetime, str] | None


class PlacedColumn(msgspec.Struct, frozen=True):
    """A column, and the key of its dataset."""

    key: str
    name: str
    dataset: str


class CurrentVersion(msgspec.Struct, frozen=True):
    """A dataset and the version of it that was written last, by key."""

    key: str
    version: str


class ReportedEvent(msgspec.Struct, frozen=True):
    """An event as it is kept, and the JSON paths of its claims."""

    body: str
    claims: list[str]


class NewestRun(msgspec.Struct, frozen=True):
    """The newest of some runs of a job."""

    key: str
    run: str


class NewestOfValue(msgspec.Struct, frozen=True):
    """The newest run of a job for a value, which is JSON text without the quotes."""

    key: str
    value: str
    run: str


@bound
def walk_upstream(
    tx: Transaction, *, key: str, depth: int, limit: int, at: datetime | None
) -> list[Reached]: ...


@bound
def walk_downstream(
    tx: Transaction, *, key: str, depth: int, limit: int, at: datetime | None
) -> list[Reached]: ...


@bound
def list_namespace_nodes(
    tx: Transaction, *, namespace: str, inherit: bool, limit: int
) -> list[Reached]: ...


@bound
def list_next_upstream(
    tx: Transaction, *, jobs: list[str], datasets: list[str], limit: int, at: datetime | None
) -> list[Joined]: ...


@bound
def list_next_downstream(
    tx: Transaction, *, jobs: list[str], datasets: list[str], limit: int, at: datetime | None
) -> list[Joined]: ...


@bound
def list_job_nodes(tx: Transaction, *, keys: list[str]) -> list[JobRow]: ...


@bound
def list_hidden_jobs(tx: Transaction, *, keys: list[str]) -> list[str]: ...


@bound
def list_dataset_nodes(tx: Transaction, *, keys: list[str]) -> list[DatasetRow]: ...


@bound
def list_flow_ends(
    tx: Transaction, *, jobs: list[str], datasets: list[str], at: datetime | None
) -> list[FlowEnds]: ...


@bound
def list_flow_nodes(tx: Transaction, *, limit: int, at: datetime | None) -> list[Reached]: ...


@bound
def list_flow_counts(
    tx: Transaction, *, keys: list[str], at: datetime | None
) -> list[FlowCounts]: ...


@bound
def get_latest_job(tx: Transaction, *, at: datetime | None) -> str | None: ...


@bound
def get_first_flow(tx: Transaction) -> datetime | None: ...


@bound
def list_flows(
    tx: Transaction, *, jobs: list[str], datasets: list[str], at: datetime | None
) -> list[FlowRow]: ...


@bound
def list_near_columns(tx: Transaction, *, keys: list[str]) -> list[NearColumn]: ...


@bound
def list_column_sources(
    tx: Transaction, *, keys: list[str], types: list[str], since: datetime | None
) -> list[NearColumn]: ...


@bound
def list_columns_made(
    tx: Transaction, *, keys: list[str], types: list[str], since: datetime | None
) -> list[NearColumn]: ...


@bound
def list_derivations(
    tx: Transaction, *, keys: list[str], types: list[str], since: datetime | None
) -> list[DerivationRow]: ...


@bound
def list_last_statements(tx: Transaction, *, rows: list[dict[str, str]]) -> list[LastStatement]: ...


@bound
def list_unused_derivations(
    tx: Transaction, *, since: datetime, offset: int, limit: int
) -> list[UnusedDerivation]: ...


@bound
def count_unused_derivations(tx: Transaction, *, since: datetime) -> int: ...


@bound
def list_jobs_at(
    tx: Transaction, *, keys: list[str], at: datetime, runs: int
) -> list[JobAtRow]: ...


@bound
def list_writers_at(tx: Transaction, *, keys: list[str], at: datetime) -> list[WritersAtRow]: ...


class ReaderRow(msgspec.Struct, frozen=True):
    """A job that reads a dataset: how many of its runs did, when last, and its outputs."""

    key: str
    namespace: str
    name: str
    runs: int
    last_seen: datetime | None
    outputs: int


@bound
def list_readers(tx: Transaction, *, key: str) -> list[ReaderRow]: ...


@bound
def list_readers_at(tx: Transaction, *, keys: list[str], at: datetime) -> list[ReadersAtRow]: ...


@bound
def list_reports_at(tx: Transaction, *, ids: list[str], at: datetime) -> list[ReportedEvent]: ...


@bound
def list_outputs(tx: Transaction, *, key: str, limit: int) -> list[str]: ...


@bound
def list_outputs_at(tx: Transaction, *, key: str, at: datetime) -> list[str]: ...


@bound
def list_columns(tx: Transaction, *, keys: list[str]) -> list[PlacedColumn]: ...


@bound
def list_columns_of(tx: Transaction, *, key: str, with_tagged: bool) -> list[PlacedColumn]: ...


@bound
def list_current_versions(
    tx: Transaction, *, keys: list[str], at: datetime | None
) -> list[CurrentVersion]: ...


@bound
def list_flows_of_runs(
    tx: Transaction,
    *,
    keys: list[str],
    since: datetime | None,
    at: datetime | None,
    ended: bool,
    parts: list[str],
    most: int,
) -> list[FlowRow]: ...


@bound
def list_newest_of_runs(
    tx: Transaction,
    *,
    keys: list[str],
    since: datetime | None,
    at: datetime | None,
    ended: bool,
    parts: list[str],
) -> list[NewestRun]: ...


@bound
def list_newest_by_value(
    tx: Transaction,
    *,
    keys: list[str],
    since: datetime | None,
    at: datetime | None,
    parts: list[str],
    opening: str,
) -> list[NewestOfValue]: ...


@bound
def list_joined(tx: Transaction) -> list[Joined]: ...


@bound
def list_orders(tx: Transaction, *, jobs: list[str]) -> list[OrderedJobs]: ...
