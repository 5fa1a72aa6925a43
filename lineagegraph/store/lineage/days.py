"""Runs in a span of time, and the runs that they needed."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class DayRun(msgspec.Struct, frozen=True):
    """A run; `name` is its job's FQN, `row_count` the rows that it wrote itself, if reported."""

    id: str  # id of the run
    parent: str | None  # id of the run above it; None at the top
    job_key: str | None  # key of its job; None without a job
    namespace: str | None  # namespace of its job; None if unknown
    name: str  # full name of its job
    kind: str | None  # kind of the run or its job; None if unknown
    state: str  # its state; PENDING if none was reported
    created_at: datetime  # time at which it was queued or first reported
    started_at: datetime | None  # its start; None before it
    ended_at: datetime | None  # its end; None before it
    version: str | None  # hash of the pipeline version that it reported; None for others
    row_count: int | None  # rows that it wrote to all datasets; None if not reported
    partition: str | None = None  # its partition as JSON; None without one
    nominal_start: datetime | None = None  # start of its data interval; None without one
    has_run: bool = True  # whether it ran: a task after a failed one does not
    by_hand: bool = False  # whether a person repeated an earlier run with it


class RunLink(msgspec.Struct, frozen=True):
    """A run that had to come before another; `kind` is the reason."""

    before: str
    after: str
    kind: str


class TaskOrder(msgspec.Struct, frozen=True):
    """A path of a task that a run's version puts before another."""

    run: str
    first: str
    then: str


@bound
def list_runs(tx: Transaction, *, begin: datetime, end: datetime, limit: int) -> list[DayRun]: ...


@bound
def list_links(tx: Transaction, *, ids: list[str]) -> list[RunLink]: ...


@bound
def list_orders(tx: Transaction, *, ids: list[str]) -> list[TaskOrder]: ...
