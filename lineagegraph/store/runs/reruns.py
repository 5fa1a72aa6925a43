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

    id: str
    state: RunState
    is_open: bool
    started_at: datetime | None
    params: str | None
    partition: str | None
    only: tuple[str, ...]
    launches: int
    variables: str | None
    task_code: str | None
    has_task_code: bool
    rerun_of: str | None
    parent: str | None
    job_key: str | None
    namespace: str | None
    job: str | None
    version: str | None
    definition: str | None
    code_hash: str | None
    source_sha256: str | None
    current_version: str | None


class VersionRow(msgspec.Struct, frozen=True):
    """A version of a job; `definition` is JSON text, `task_code` that of its next runs."""

    hash: str
    definition: str
    code_hash: str
    source_sha256: str | None
    task_code: str | None

    def pipeline(self) -> Pipeline:
        """Return its content."""
        return decode_json(self.definition, into=Pipeline)


class OutcomeRow(msgspec.Struct, frozen=True):
    """How a run ended; `emitted` is JSON text."""

    id: str
    state: RunState
    emitted: str | None


class Replaced(msgspec.Struct, frozen=True):
    """A version of a dataset, a newer one, and the run that wrote that."""

    key: str
    newer: str
    run_id: str | None


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
    task_code: str | None,
    variables: str | None,
    environment: str | None,
    isolated: bool,
) -> int: ...
