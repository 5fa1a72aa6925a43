"""Jobs below jobs and runs below runs."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class JobTreeRow(msgspec.Struct, frozen=True):
    """A job, the key of its parent, and its latest run; `name` is its FQN."""

    key: str
    parent: str | None
    namespace: str
    name: str
    simple_name: str
    kind: str | None
    stub: bool
    version: str | None
    runs: int
    state: str | None
    started_at: datetime | None
    ended_at: datetime | None


class RunTreeRow(msgspec.Struct, frozen=True):
    """A run, the id of its parent, and the names of its job; `name` is the job's FQN."""

    id: str
    parent: str | None
    name: str
    simple_name: str
    kind: str | None
    state: str
    created_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    attempt: int | None
    reason: str | None
    message: str | None
    error: str | None
    log: str | None


@bound
def list_root_jobs(tx: Transaction, *, namespace: str | None, limit: int) -> list[JobTreeRow]: ...


@bound
def walk_job_tree(tx: Transaction, *, key: str, limit: int) -> list[JobTreeRow]: ...


@bound
def walk_run_tree(tx: Transaction, *, id: str, limit: int) -> list[RunTreeRow]: ...
