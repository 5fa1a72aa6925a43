"""Backfills: their partitions, the runs that these were given, and who starts the next."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.backfill import BackfillState, PartitionOrder, Which


class Merged(msgspec.Struct, frozen=True):
    """Whether a backfill that was asked for is new."""

    is_new: bool


class PartitionRun(msgspec.Struct, frozen=True):
    """The latest run for a partition, and whether any COMPLETED or is queued or running here.

    `partial` are the COMPLETED runs of some tasks, the newest first; `has_completed` is without
    these.
    """

    number: int
    run_id: str | None
    state: RunState | None
    has_completed: bool
    partial: tuple[str, ...]
    is_in_progress: bool


class LockedBackfill(msgspec.Struct, frozen=True):
    """A backfill that is locked."""

    state: BackfillState
    which: Which
    job_key: str


class Room(msgspec.Struct, frozen=True):
    """How many more runs a backfill may have in progress, and how its failures stand."""

    free: int
    failures: int
    stop_after: int | None


class Unstarted(msgspec.Struct, frozen=True):
    """A partition that waits; `repeats` is the run that it repeats, if any, as JSON."""

    number: int
    partition: str | None
    repeats: str | None


class StateCount(msgspec.Struct, frozen=True):
    """How many partitions are in a state: their run's, or UNSTARTED, SKIPPED or CANCELLED."""

    state: str
    partitions: int


class BackfillRow(msgspec.Struct, frozen=True):
    """A backfill, with the states of its partitions and the times of its runs."""

    id: str  # id of the backfill
    namespace: str  # namespace of its job
    job: str  # full name of its job
    state: BackfillState  # its state
    reason: str | None  # reason of a pause by a daemon; None for others
    which: Which  # partitions that it runs, by their earlier runs
    order: PartitionOrder  # whether the oldest or the newest partition comes first
    concurrency: int  # runs that may be in progress at once
    stop_after: int | None  # failures after which it pauses; None for never
    total: int  # number of its partitions
    created_at: datetime  # time of the request
    ended_at: datetime | None  # its end; None before it
    counts: tuple[StateCount, ...]  # partitions by state
    first_started_at: datetime | None  # start of its first run; None before it
    last_ended_at: datetime | None  # latest end of a run; None before it
    ended: int  # runs that have ended


class PartitionRow(msgspec.Struct, frozen=True):
    """A partition of a backfill and its run; `params` is JSON text."""

    number: int  # position in the order of running, from 0
    params: str  # JSON text of the run's parameters
    partition: str | None  # JSON text of the partition; None without one
    state: str  # state of its run, or its own before it has one
    run_id: str | None  # id of its run; None before it has one
    started_at: datetime | None  # start of the run; None before it
    ended_at: datetime | None  # end of the run; None before it
    reason: str | None  # reason of the run's state, or of a skipped partition; None without one
    error: str | None  # error of the run; None without one


class BackfillCounts(msgspec.Struct, frozen=True):
    """The hash of a backfill's content, and how many partitions it has and runs."""

    hash: str
    total: int
    to_run: int


class Repeat(msgspec.Struct, frozen=True):
    """A run of a backfill that repeats another; `repeats` is JSON."""

    run_id: str
    repeats: str


@bound
def get_counts(tx: Transaction, *, id: str) -> BackfillCounts | None: ...


@bound
def list_repeats(tx: Transaction, *, run_ids: list[str]) -> list[Repeat]: ...


@bound
def merge_backfill(
    tx: Transaction,
    *,
    id: str,
    job_key: str,
    hash: str,
    which: Which,
    order: PartitionOrder,
    concurrency: int,
    stop_after: int | None,
    total: int,
    token: str,
    now: datetime | None,
) -> Merged | None: ...


@bound
def merge_partitions(tx: Transaction, *, id: str, rows: list[dict[str, Any]]) -> None: ...


@bound
def list_latest(
    tx: Transaction, *, job_key: str, rows: list[dict[str, Any]]
) -> list[PartitionRun]: ...


@bound
def due_backfills(tx: Transaction) -> list[str]: ...


@bound
def claim_backfill(tx: Transaction, *, id: str) -> LockedBackfill | None: ...


@bound
def settle_partitions(tx: Transaction, *, id: str) -> None: ...


@bound
def get_room(tx: Transaction, *, id: str) -> Room | None: ...


@bound
def list_unstarted(tx: Transaction, *, id: str, after: int, most: int) -> list[Unstarted]: ...


@bound
def set_skipped(tx: Transaction, *, id: str, rows: list[dict[str, Any]]) -> None: ...


@bound
def claim_partitions(
    tx: Transaction, *, id: str, rows: list[dict[str, Any]], now: datetime | None
) -> list[str]: ...


@bound
def settle_backfill(tx: Transaction, *, id: str, now: datetime | None) -> str | None: ...


@bound
def set_state(
    tx: Transaction, *, id: str, state: BackfillState, reason: str | None, now: datetime | None
) -> None: ...


@bound
def set_cancelled(tx: Transaction, *, id: str, running: bool) -> None: ...


@bound
def list_backfills(
    tx: Transaction, *, id: str | None, job_key: str | None, limit: int, offset: int
) -> list[BackfillRow]: ...


@bound
def count_backfills(tx: Transaction, *, job_key: str | None) -> int: ...


@bound
def list_partitions(
    tx: Transaction, *, id: str, states: list[str] | None, limit: int, offset: int
) -> list[PartitionRow]: ...


@bound
def count_partitions(tx: Transaction, *, id: str, states: list[str] | None) -> int: ...
