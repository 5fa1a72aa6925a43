"""Versions of jobs: what ran, or would run."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class JobVersionRow(msgspec.Struct, frozen=True):
    """A version of a job, and when it was first seen."""

    version: str
    created_at: datetime | None


class NewestRunRow(msgspec.Struct, frozen=True):
    """The newest run of a version."""

    version: str
    run: str


@bound
def list_versions(tx: Transaction, *, key: str, limit: int, offset: int) -> list[JobVersionRow]: ...


@bound
def count_versions(tx: Transaction, *, key: str) -> int: ...


@bound
def list_versions_starting(tx: Transaction, *, key: str, prefix: str) -> list[JobVersionRow]: ...


@bound
def list_newest_runs(tx: Transaction, *, key: str, hashes: list[str]) -> list[NewestRunRow]: ...
