"""Successes of jobs that decide their freshness."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class SuccessRow(msgspec.Struct, frozen=True):
    """The latest success that was asked for in the row `number`."""

    number: int
    run_id: str
    started_at: datetime
    ended_at: datetime
    data_end: datetime | None
    confirmed_at: datetime | None


class ChangedInputs(msgspec.Struct, frozen=True):
    """The names of datasets that a run read and that were written again since, and new code."""

    run_id: str
    changed: list[str]
    has_new_code: bool


class TopRow(msgspec.Struct, frozen=True):
    """A job, the pipeline that it is a task of, and its path in that; empty for the pipeline."""

    job_key: str
    top_key: str
    path: str


class BatchTask(msgspec.Struct, frozen=True):
    """A task of a batch, and how its latest run went."""

    key: str
    name: str
    run_id: str | None
    state: str | None
    reason: str | None
    message: str | None


@bound
def list_successes(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[SuccessRow]: ...


@bound
def list_changed_inputs(tx: Transaction, *, ids: list[str]) -> list[ChangedInputs]: ...


@bound
def list_tops(tx: Transaction, *, keys: list[str]) -> list[TopRow]: ...


@bound
def list_batch_tasks(tx: Transaction, *, job_key: str) -> list[BatchTask]: ...
