"""Jobs below jobs and runs below runs."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.states import UPSTREAM_FAILED, shown_state


class JobTreeRow(msgspec.Struct, frozen=True):
    """A job, the key of its parent, and its latest run; `name` is its FQN."""

    key: str  # key of the job
    parent: str | None  # key of the job above it; None for a root
    namespace: str  # namespace of the job
    name: str  # full name of the job
    simple_name: str  # last part of the full name
    kind: str | None  # kind of the job; None if unknown
    stub: bool  # whether it is only named by others
    version: str | None  # hash of the active version; None for a job without a definition
    runs: int  # number of its runs
    state: str | None  # state of its latest run; None without runs
    started_at: datetime | None  # start of its latest run; None before it
    ended_at: datetime | None  # end of its latest run; None before it


class RunTreeRow(msgspec.Struct, frozen=True):
    """A run, the id of its parent, and the names of its job; `name` is the job's FQN."""

    id: str  # id of the run
    parent: str | None  # id of the run above it; None at the top
    name: str  # full name of its job
    simple_name: str  # last part of that name
    kind: str | None  # kind of the run or its job; None if unknown
    state: str  # its state; PENDING if none was reported
    created_at: datetime | None  # time at which it was queued or first reported; None if unknown
    started_at: datetime | None  # its start; None before it
    ended_at: datetime | None  # its end; None before it
    attempt: int | None  # number of its last attempt, from 1; None if not reported
    reason: str | None  # reason of its state, such as LOST; None without one
    message: str | None  # explanation of its state for people; None without one
    error: str | None  # error of a failed run; None without one
    log: str | None  # path of its log file; None if not reported
    task: str | None  # name of its task, if that differs from its job's

    @property
    def label(self) -> str:
        """The full name of its job, and the name of its task if that is another."""
        return f"{self.name} as {self.task}" if self.task else self.name

    @property
    def short_label(self) -> str:
        """The same with the last part of the job's name only."""
        return f"{self.simple_name} as {self.task}" if self.task else self.simple_name

    @property
    def shown_state(self) -> str:
        """Its state as people see it."""
        return shown_state(self.state, self.reason)

    @property
    def shown_start(self) -> datetime | None:
        """Its start; None for a task that did not run, which has an end only."""
        return None if self.reason == UPSTREAM_FAILED else self.started_at


@bound
def list_root_jobs(tx: Transaction, *, namespace: str | None, limit: int) -> list[JobTreeRow]: ...


@bound
def count_root_jobs(tx: Transaction, *, namespace: str | None) -> int: ...


@bound
def walk_job_tree(tx: Transaction, *, key: str, limit: int) -> list[JobTreeRow]: ...


@bound
def walk_run_tree(tx: Transaction, *, id: str, limit: int) -> list[RunTreeRow]: ...
