"""Launches: queued runs, and the workers that hold them by lease and fence."""

from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.pipelines.upstream import WrittenDataset
from lineagegraph.model.runs.states import RunState


class Claim(msgspec.Struct, frozen=True):
    """A run that a process took; `launches` counts how often it was taken."""

    id: str
    fence: int
    launches: int


class Launch(msgspec.Struct, frozen=True):
    """The work of a claimed run; `params` is JSON text."""

    id: str  # id of the run
    job: str  # full name of its job
    fence: int  # number of this claim; writes with a smaller one are refused
    launches: int  # times that a worker took it, with this one
    has_started: bool  # whether an earlier launch started it
    started_at: datetime | None  # when it did
    params: str | None  # JSON text of its parameters; None without any
    only: list[str]  # paths of the requested tasks; empty for all
    version: str | None  # hash of the version to run; None if it is not stored
    structure_hash: str | None  # hash of the version's structure; None if it is not stored
    code_hash: str | None  # hash of the version's code alone; None if it is not stored
    definition: str | None  # pipeline of the version as JSON text; None if it is not stored
    file: str | None  # definition file, relative to `root`; None if the version is not stored
    root: str | None  # absolute path of the project; None if the version is not stored
    source_sha256: str | None  # SHA-256 of the packed files; None if they are not linked


class LaunchRow(msgspec.Struct, frozen=True):
    """The job of a run, and the version that the run was queued with."""

    job_key: str
    version: str | None


class UpstreamRow(msgspec.Struct, frozen=True):
    """One thing that set a run off; `params` and `emitted` are JSON."""

    status: str  # state of the run, or the kind of occurrence
    at: datetime  # time of the occurrence
    chosen: bool  # whether its payload counts, if there are several
    job: str | None  # full name of the run's job; None for events and times
    run_id: str | None  # run that ended or wrote the version; None for events and times
    started_at: datetime | None  # start of that run; None for events and times
    ended_at: datetime | None  # end of that run; None for events and times
    event: str | None  # name of an external event; None for others
    zone: str | None  # zone of a schedule; None for others and for intervals
    params: str | None  # JSON text of the run's parameters or the event's payload; None without any
    emitted: str | None  # JSON text of the values that the run emitted; None without any
    datasets: tuple[WrittenDataset, ...]  # dataset versions that the run wrote
    # JSON text of the values of standard facets of the run; None without any
    reported: str | None = None


class LaunchedRun(msgspec.Struct, frozen=True):
    """A run of a worker; `is_parkable` if it only waits and needs no process for it."""

    id: str
    job: str
    is_parkable: bool


class LostRun(msgspec.Struct, frozen=True):
    """A claimed run whose lease ended."""

    id: str
    fence: int
    launches: int
    has_started: bool


class OpenRun(msgspec.Struct, frozen=True):
    """A run that has not ended, with its own name."""

    id: str
    namespace: str
    name: str
    kind: str | None
    state: RunState
    now: datetime


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How a run of a batch is asked for.

    Its tasks run however fresh they are (`force`), whatever their parents are, or with those
    parents elsewhere that are not fresh.
    """

    force: bool = False
    ignore_upstream: bool = False
    with_upstream: bool = False


class BatchRow(msgspec.Struct, frozen=True):
    """When a run of a batch was asked for, and how."""

    submitted_at: datetime
    force: bool
    ignore_upstream: bool
    with_upstream: bool


class LastRow(msgspec.Struct, frozen=True):
    """The latest run of a job that people or triggers asked for; `params` is JSON text."""

    id: str
    params: str | None
    only: list[str]
    ignore_upstream: bool
    with_upstream: bool
    is_open: bool


class LaunchedTask(msgspec.Struct, frozen=True):
    """A task or group of a run as an earlier launch left it; `emitted` and `output` are JSON."""

    id: str
    state: RunState
    reason: str | None
    emitted: str | None
    output: str | None
    attempt: int | None


class RunStateRow(msgspec.Struct, frozen=True):
    """The state of a run."""

    id: str
    state: RunState


@bound
def merge_queued(
    tx: Transaction,
    *,
    run_id: str,
    job_key: str,
    params: str | None,
    only: list[str],
    asked_by: str | None = None,
    now: datetime | None,
) -> None: ...


@bound
def claim_requested(tx: Transaction, *, job_key: str, id: str) -> str | None: ...


@bound
def set_request(tx: Transaction, *, id: str, request: str) -> None: ...


@bound
def list_queued(tx: Transaction, *, most: int, now: datetime | None) -> list[str]: ...


@bound
def claim_run(
    tx: Transaction,
    *,
    id: str,
    owner: str,
    lease: timedelta,
    claim: str | None,  # an id, if the claim may be repeated as its answer was lost
    now: datetime | None,
) -> Claim | None: ...


@bound
def get_wanted(tx: Transaction, *, id: str) -> LaunchRow | None: ...


@bound
def set_version(tx: Transaction, *, id: str) -> None: ...


@bound
def set_wanted(tx: Transaction, *, id: str, version: str) -> None: ...


@bound
def get_launch(tx: Transaction, *, id: str) -> Launch | None: ...


@bound
def list_upstream(tx: Transaction, *, id: str, most: int) -> list[UpstreamRow]: ...


@bound
def set_lease(
    tx: Transaction,
    *,
    id: str,
    fence: int,
    owner: str,
    lease: timedelta,
    now: datetime | None,
) -> bool | None: ...


@bound
def set_leases(
    tx: Transaction, *, ids: list[str], owner: str, lease: timedelta, now: datetime | None
) -> None: ...


@bound
def set_renewed(tx: Transaction, *, id: str, lease: timedelta, now: datetime | None) -> None: ...


@bound
def get_lapsed(tx: Transaction, *, id: str, now: datetime | None) -> bool | None: ...


@bound
def claim_fence(tx: Transaction, *, id: str, fence: int) -> bool | None: ...


@bound
def release_run(tx: Transaction, *, id: str) -> None: ...


@bound
def settle_requeued(
    tx: Transaction, *, id: str, delay: timedelta, now: datetime | None
) -> None: ...


@bound
def settle_launched(tx: Transaction, *, id: str) -> None: ...


@bound
def set_cancelled(tx: Transaction, *, id: str, now: datetime | None) -> str | None: ...


@bound
def get_cancelled(tx: Transaction, *, id: str) -> bool | None: ...


@bound
def due_lost(tx: Transaction, *, now: datetime | None) -> list[LostRun]: ...


@bound
def list_open(tx: Transaction, *, id: str) -> list[OpenRun]: ...


@bound
def list_states(tx: Transaction, *, ids: list[str]) -> list[RunStateRow]: ...


@bound
def set_options(
    tx: Transaction, *, id: str, force: bool, ignore_upstream: bool, with_upstream: bool
) -> None: ...


@bound
def claim_batch(tx: Transaction, *, id: str) -> BatchRow: ...


@bound
def list_left(tx: Transaction, *, id: str) -> list[LaunchedTask]: ...


@bound
def set_wake_address(tx: Transaction, *, id: str, fence: int, address: str) -> None: ...


@bound
def settle_resting(
    tx: Transaction,
    *,
    id: str,
    fence: int,
    most: int,
    keeps_process: bool,
    by_worker: bool,
    now: datetime | None,
) -> bool | None: ...


@bound
def set_working(tx: Transaction, *, id: str, fence: int) -> None: ...


@bound
def list_launched(tx: Transaction, *, ids: list[str]) -> list[LaunchedRun]: ...


@bound
def count_resting(tx: Transaction, *, ids: list[str]) -> int | None: ...


@bound
def settle_resumed(tx: Transaction, *, id: str, most: int, now: datetime | None) -> int | None: ...


@bound
def get_last(tx: Transaction, *, job_key: str) -> LastRow | None: ...


@bound
def set_sensing(tx: Transaction, *, id: str, now: datetime | None) -> None: ...


@bound
def release_sensing(tx: Transaction, *, run_ids: list[str]) -> None: ...
