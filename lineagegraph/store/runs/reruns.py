"""Reruns: their original runs, and the changes since."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.typed import decode_json


class Original(msgspec.Struct, frozen=True):
    """A run that is to run again; `params`, `variables` and `definition` are JSON text.

    `rerun_of` is the run that it repeated itself, `parent` the run that it is a part of.
    """

    id: str  # id of the run
    state: RunState  # its state
    is_open: bool  # whether it is queued or in progress here
    started_at: datetime | None  # its start; None before it
    params: str | None  # JSON text of its parameters; None without any
    partition: str | None  # JSON text of its partition; None without one
    only: tuple[str, ...]  # paths of the requested tasks; empty for all
    launches: int  # times that a worker took it; 1 for runs of other producers
    variables: str | None  # JSON text of the variables that it read; None without any
    task_code: str | None  # SHA-256 of its task functions by value; None without any
    has_task_code: bool  # whether these are still stored, or it has none
    rerun_of: str | None  # id of the run that it repeats; None if it is no rerun
    parent: str | None  # id of the run above it; None at the top
    job_key: str | None  # key of its job; None without a job
    namespace: str | None  # namespace of its job; None without a job
    job: str | None  # full name of its job; None without a job
    version: str | None  # hash of the version that it ran; None if unknown
    definition: str | None  # pipeline of that version as JSON text; None if it is not stored
    code_hash: str | None  # hash of that version's code alone; None if it is not stored
    source_sha256: str | None  # SHA-256 of that version's packed files; None if they are not linked
    root: str | None  # absolute path of that version's project; None if it is not stored
    current_version: str | None  # hash of the active version; None if withdrawn or undefined


class VersionRow(msgspec.Struct, frozen=True):
    """A version of a job; `definition` is JSON text, `task_code` that of its next runs.

    `root` is the absolute path of its project.
    """

    hash: str
    definition: str
    code_hash: str
    source_sha256: str | None
    task_code: str | None
    root: str | None

    def pipeline(self) -> Pipeline:
        """Return its content."""
        return decode_json(self.definition, into=Pipeline)


class OutcomeRow(msgspec.Struct, frozen=True):
    """How a run ended; `emitted` and `output` are JSON text."""

    id: str
    state: RunState
    reason: str | None
    emitted: str | None
    output: str | None


class Replaced(msgspec.Struct, frozen=True):
    """A version of a dataset, a newer one, and the run that wrote that."""

    key: str
    newer: str
    run_id: str | None


class FilesRow(msgspec.Struct, frozen=True):
    """The files that a run used, as JSON text."""

    id: str
    files: str


@bound
def get_original(tx: Transaction, *, id: str) -> Original | None: ...


@bound
def list_versions(tx: Transaction, *, job_key: str, prefix: str) -> list[VersionRow]: ...


@bound
def list_range(
    tx: Transaction,
    *,
    job_key: str,
    since: datetime | None,
    until: datetime | None,
    states: list[str],
    most: int,
) -> list[str]: ...


@bound
def list_outcomes(tx: Transaction, *, ids: list[str]) -> list[OutcomeRow]: ...


@bound
def list_replaced(tx: Transaction, *, keys: list[str]) -> list[Replaced]: ...


@bound
def set_rerun(
    tx: Transaction,
    *,
    id: str,
    original: str,
    policy: str,
    only: list[str],
    version: str | None,
    source: str | None,
    task_code: str | None,
    variables: str | None,
    environment: str | None,
    isolated: bool,
) -> int: ...


@bound
def list_files(tx: Transaction, *, ids: list[str]) -> list[FilesRow]: ...
