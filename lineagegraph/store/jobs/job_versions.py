"""Versions of jobs."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class JobVersionRow(msgspec.Struct, frozen=True):
    """A version of a job, and when it was first seen."""

    version: str
    created_at: datetime | None


class Period(msgspec.Struct, frozen=True):
    """A period in which a version was active; without an end it still is."""

    since: datetime
    until: datetime | None = None


class HistoryRow(msgspec.Struct, frozen=True):
    """A version of a job with all its active periods; `definition` is JSON text.

    A version that is only known from runs has neither.
    """

    version: str
    created_at: datetime | None
    periods: tuple[Period, ...]
    runs: int
    last_run_at: datetime | None
    is_current: bool
    git_commit: str | None
    git_branch: str | None
    git_dirty: bool | None
    code_hash: str | None
    file: str | None
    definition: str | None
    files: tuple[str, ...]
    file_hashes: tuple[str, ...]


class NamedVersion(msgspec.Struct, frozen=True):
    """A version, and the FQN of its job."""

    version: str
    job: str


class ContentRow(msgspec.Struct, frozen=True):
    """The content of a version: `definition` is JSON text, `source` the hash of its code."""

    version: str
    namespace: str
    job: str
    created_at: datetime | None
    file: str | None
    code_hash: str | None
    definition: str
    source: str | None
    files: tuple[str, ...]
    file_hashes: tuple[str, ...]


class NewestRunRow(msgspec.Struct, frozen=True):
    """The newest run of a version."""

    version: str
    run: str


@bound
def list_versions(tx: Transaction, *, key: str, limit: int, offset: int) -> list[JobVersionRow]: ...


@bound
def list_history(tx: Transaction, *, key: str, limit: int) -> list[HistoryRow]: ...


@bound
def count_versions(tx: Transaction, *, key: str) -> int: ...


@bound
def list_versions_starting(tx: Transaction, *, key: str, prefix: str) -> list[JobVersionRow]: ...


@bound
def list_newest_runs(tx: Transaction, *, key: str, hashes: list[str]) -> list[NewestRunRow]: ...


@bound
def list_hashes_starting(tx: Transaction, *, prefix: str) -> list[NamedVersion]: ...


@bound
def list_contents(tx: Transaction, *, hashes: list[str]) -> list[ContentRow]: ...


@bound
def get_ran(tx: Transaction, *, id: str) -> str | None: ...
