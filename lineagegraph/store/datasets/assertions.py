"""Assertions about datasets, and their verdicts."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class AssertionRow(msgspec.Struct, frozen=True):
    """An assertion with its latest verdict.

    The version is the one that the verdict is about: that of the run if it wrote the dataset, or
    else the latest before the verdict.
    """

    dataset: str  # key of the dataset
    name: str  # name of the assertion
    column: str | None  # tested column; None for the whole dataset
    verdict: str  # passed, warned or failed
    at: datetime  # time of the event with the verdict
    run_id: str | None  # run that gave the verdict; None if it came without a run
    job: str | None  # full name of the run's job
    job_namespace: str | None  # namespace of the run's job
    version: str | None  # key of the dataset version; None if no version is known
    expected: str | None  # expected value, as text
    actual: str | None  # observed value, as text


@bound
def merge_verdicts(
    tx: Transaction,
    *,
    given: list[dict[str, Any]],
    withdrawn: list[dict[str, Any]],
    stated: list[dict[str, Any]],
) -> None: ...


@bound
def set_latest(tx: Transaction, *, keys: list[str]) -> None: ...


@bound
def list_assertions(tx: Transaction, *, keys: list[str]) -> list[AssertionRow]: ...
