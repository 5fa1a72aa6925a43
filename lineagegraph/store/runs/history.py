"""History: runs with their data, and firings with their reasons."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class RunRow(msgspec.Struct, frozen=True):
    """A run in the list of its job's runs; `fired_by` is its cause."""

    id: str
    state: str
    created_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    nominal_start: datetime | None
    attempt: int | None
    version: str | None
    reason: str | None
    message: str | None
    error: str | None
    fired_by: str | None


class WholeRunRow(msgspec.Struct, frozen=True):
    """All properties of a run; `name` is its job's FQN, `params` and the like are JSON."""

    id: str
    namespace: str | None
    name: str
    job_key: str | None
    kind: str | None
    state: str
    created_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    nominal_start: datetime | None
    nominal_end: datetime | None
    attempt: int | None
    version: str | None
    reason: str | None
    message: str | None
    error: str | None
    params: str | None
    variables: str | None
    emitted: str | None
    cost: str | None
    log: str | None
    owner: str | None
    parent: str | None
    backfill: str | None
    rerun_of: str | None
    rerun_number: int | None
    rerun_policy: str | None


class DatasetUseRow(msgspec.Struct, frozen=True):
    """A read or write of a dataset by a run."""

    key: str
    namespace: str
    name: str
    row_count: int | None
    size: int | None
    file_count: int | None
    version: str | None
    partitions: tuple[str, ...]


class ConsumedRow(msgspec.Struct, frozen=True):
    """One thing that satisfied a firing: a run, a dataset version or a scheduled time."""

    kind: str
    name: str | None
    id: str
    state: str | None
    at: datetime | None


class StartedRow(msgspec.Struct, frozen=True):
    """A run that a firing started."""

    id: str
    state: str | None


class FiringRow(msgspec.Struct, frozen=True):
    """One decision of a trigger; `starts` is the FQN of the job that it starts."""

    key: str
    fired_at: datetime | None
    trigger: str
    trigger_name: str | None
    starts: str | None
    generation: int | str | None
    reason: str | None
    state: str | None
    consumed: tuple[ConsumedRow, ...]
    started: tuple[StartedRow, ...]


class RunFiringRow(msgspec.Struct, frozen=True):
    """A firing from the view of one run: `part` is `started by` or `fired`."""

    part: str
    key: str
    trigger: str
    trigger_name: str | None
    starts: str | None
    fired_at: datetime | None
    reason: str | None
    run: str | None


@bound
def list_runs(
    tx: Transaction, *, job_key: str, before: datetime | None, limit: int
) -> list[RunRow]: ...


@bound
def get_run(tx: Transaction, *, id: str) -> WholeRunRow | None: ...


@bound
def list_reads(tx: Transaction, *, id: str) -> list[DatasetUseRow]: ...


@bound
def list_writes(tx: Transaction, *, id: str) -> list[DatasetUseRow]: ...


@bound
def list_firings(tx: Transaction, *, trigger: str | None, limit: int) -> list[FiringRow]: ...


@bound
def list_firings_of_run(tx: Transaction, *, id: str) -> list[RunFiringRow]: ...
