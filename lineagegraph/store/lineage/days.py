"""Runs in a span of time, and the runs that they needed."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class DayRun(msgspec.Struct, frozen=True):
    """A run; `name` is its job's FQN, `row_count` the rows that it wrote itself, if reported."""

    id: str
    parent: str | None
    job_key: str | None
    namespace: str | None
    name: str
    kind: str | None
    state: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    version: str | None
    row_count: int | None


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
