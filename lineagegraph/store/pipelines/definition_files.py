"""Definition files as last read, with their declarations and errors."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class Claimed(msgspec.Struct, frozen=True):
    """A definition file, and how often it was read."""

    key: str
    turn: int


class DeclaredPipeline(msgspec.Struct, frozen=True):
    """A pipeline that a file declares."""

    key: str  # key of its job
    namespace: str  # namespace of its job
    name: str  # full name of its job
    version: str | None  # hash of its latest version; None without one
    file: str  # file that declares it
    pinned: str | None  # hash of the version that it runs instead; None without one
    suspended: tuple[tuple[str, str], ...]  # triggers that no person suspended, with reasons
    unknown: tuple[str, ...]  # watched jobs with neither a definition nor a run


class FileRow(msgspec.Struct, frozen=True):
    """A definition file; `turn` counts how often it was read.

    It is `altered` if one of its declarations was deleted or changed since.
    """

    key: str  # key of the file
    root: str  # absolute path of its project
    path: str  # path relative to `root`
    file: str  # absolute path of the file
    turn: int  # number of times that it was read
    namespace: str | None  # default namespace at the last read; None before the first
    zone: str | None  # default time zone at the last read; None before the first
    application: str | None  # project name at the last read; None before the first
    fingerprint: str | None  # hash of all inputs of the last read; None before the first
    # absolute paths of the files that it read; None before the first read
    files: tuple[str, ...] | None
    # absolute paths of the folders that it listed; None before the first read
    folders: tuple[str, ...] | None
    # names of the variables that it read; None before the first read
    variables: tuple[str, ...] | None
    # whether it is read again even if no input changed; None before the first read
    dynamic: bool | None
    due: bool  # whether the time of its next read has come
    faults: list[str]  # errors that the last read found
    withdrawn: bool  # whether one of its pipelines is withdrawn
    altered: bool | None  # whether its jobs or triggers changed since; None before the first read
    pipelines: list[DeclaredPipeline]  # pipelines that it declares, with their active versions


class Withdrawn(msgspec.Struct, frozen=True):
    """A pipeline that no file declares any more; `stubs` are parents that only definitions name."""

    key: str
    fqn: str
    stubs: tuple[str, ...]


class Withdrawal(msgspec.Struct, frozen=True):
    """Since when no file declares a pipeline."""

    fqn: str
    at: datetime

    @property
    def reason(self) -> str:
        """Why no run of the pipeline starts."""
        return f"the definition of {self.fqn} is gone since {self.at:%Y-%m-%d %H:%M:%S %Z}"


class Owner(msgspec.Struct, frozen=True):
    """A pipeline, or the task of one, that has a name."""

    namespace: str
    name: str
    path: str
    line: int
    pipeline: str
    task: str | None


class Stated(msgspec.Struct, frozen=True):
    """The file, and the line of it, that states a pipeline."""

    file: str
    line: int | None


class OtherFile(msgspec.Struct, frozen=True):
    """A file of another project or host that defines a job, and the job's active version."""

    key: str
    host: str
    file: str
    line: int | None
    version: str | None


class Fault(msgspec.Struct, frozen=True):
    """The error of a definition, and the time of its start."""

    host: str
    file: str
    line: int | None
    message: str
    at: datetime


@bound
def list_other_files(
    tx: Transaction, *, keys: list[str], host: str, root: str
) -> list[OtherFile]: ...


@bound
def claim_files(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[Claimed]: ...


@bound
def set_files(tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None) -> None: ...


@bound
def link_pipelines(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def set_withdrawn(
    tx: Transaction, *, key: str, keep: list[str], now: datetime | None
) -> list[Withdrawn]: ...


@bound
def merge_faults(
    tx: Transaction, *, key: str, faults: list[dict[str, Any]], now: datetime | None
) -> None: ...


@bound
def delete_file(tx: Transaction, *, key: str) -> None: ...


@bound
def list_files(tx: Transaction, *, host: str, path: str) -> list[FileRow]: ...


@bound
def get_declaring(tx: Transaction, *, host: str, job_key: str) -> str | None: ...


@bound
def get_withdrawn(tx: Transaction, *, job_key: str) -> Withdrawal | None: ...


@bound
def get_stated(tx: Transaction, *, job_key: str) -> Stated | None: ...


@bound
def list_owners(
    tx: Transaction, *, host: str, root: str, names: list[dict[str, str]], files: list[str]
) -> list[Owner]: ...


@bound
def due_files(tx: Transaction, *, host: str, now: datetime | None) -> list[str]: ...


@bound
def set_due(tx: Transaction, *, variable: str, now: datetime | None) -> None: ...


@bound
def list_faults(tx: Transaction) -> list[Fault]: ...
