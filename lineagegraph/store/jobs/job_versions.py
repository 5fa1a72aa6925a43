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

    version: str  # hash of the version
    created_at: datetime | None  # time at which it was first stored or run; None if unknown
    periods: tuple[Period, ...]  # periods in which it was active, oldest first
    runs: int  # number of its runs
    last_run_at: datetime | None  # creation of the newest of these; None without runs
    is_current: bool  # whether it is active now
    git_commit: str | None  # commit of the project; None without a repository
    git_branch: str | None  # branch of the project; None without a repository
    git_dirty: bool | None  # whether files differed from the commit; None without a repository
    code_hash: str | None  # hash of the code alone; None if only known from runs
    covers: str | None  # what the code hash covers; None if unknown
    file: str | None  # definition file, relative to its project; None if only known from runs
    definition: str | None  # pipeline as JSON text; None if only known from runs
    files: tuple[str, ...]  # paths of the packed files
    file_hashes: tuple[str, ...]  # SHA-256 of each of `files`
    before: str | None  # hash of the version that was created just before it; None for the first


class NamedVersion(msgspec.Struct, frozen=True):
    """A version, and the FQN of its job."""

    version: str
    job: str


class ContentRow(msgspec.Struct, frozen=True):
    """The content of a version: `definition` is JSON text, `source` the hash of its code."""

    version: str  # hash of the version
    namespace: str  # namespace of its job
    job: str  # full name of its job
    created_at: datetime | None  # time at which it was stored; None if unknown
    file: str | None  # definition file, relative to its project; None if unknown
    code_hash: str | None  # hash of the code alone; None if unknown
    definition: str  # pipeline as JSON text
    source: str | None  # SHA-256 of the packed files; None if they are not linked
    files: tuple[str, ...]  # paths of the packed files
    file_hashes: tuple[str, ...]  # SHA-256 of each of `files`


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
def list_written(tx: Transaction, *, key: str, hashes: list[str]) -> list[str]: ...


@bound
def list_hashes_starting(tx: Transaction, *, prefix: str) -> list[NamedVersion]: ...


@bound
def list_contents(tx: Transaction, *, hashes: list[str]) -> list[ContentRow]: ...


@bound
def get_ran(tx: Transaction, *, id: str) -> str | None: ...
