"""Changes of runs' states, with all that those who follow them are told."""

from collections import defaultdict
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.errors import Forgotten
from lineagegraph.graph import Transaction
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.model.runs.states import FINAL, JobKind, RunState
from lineagegraph.store.jobs.details import RunUseRow, list_writes
from lineagegraph.store.runs.state_changes import Bounds, ChangeRow, list_changes

_DEFAULT = "default"
_STARTS = frozenset({RunState.PENDING, RunState.WAITING, RunState.RUNNING})
# CDAP's words; it has none for runs that ran nothing.
_STATUSES: dict[RunState, str] = {
    RunState.PENDING: "INITIALIZING",
    RunState.WAITING: "INITIALIZING",
    RunState.RUNNING: "RUNNING",
    RunState.COMPLETED: "COMPLETED",
    RunState.FAILED: "FAILED",
    RunState.KILLED: "KILLED",
}
_TYPES: dict[str, str] = {
    JobKind.PIPELINE: "WORKFLOW",
    JobKind.TASK: "SPARK",
    JobKind.APPLICATION: "SPARK",
}


class Program(msgspec.Struct, frozen=True, rename="camel"):
    """What ran: `version` is the hash of the job's version, `type` CDAP's word for `kind`."""

    namespace: str
    application: str
    version: str | None
    type: str | None
    name: str
    kind: str | None


class WrittenVersion(msgspec.Struct, frozen=True, rename="camel"):
    """A version of a dataset that a run wrote."""

    namespace: str
    name: str
    version: str | None
    row_count: int | None
    size: int | None
    file_count: int | None


class RunStateChange(msgspec.Struct, frozen=True, rename="camel"):
    """A change of state; arguments come with a start, what a run gave comes with its end."""

    id: int
    program_run_id: str
    state: RunState
    program_run_status: str | None
    program: Program
    state_change_time: datetime
    recorded_at: datetime
    start_ts: datetime | None
    run_ts: datetime | None
    stop_ts: datetime | None
    parent_run_id: str | None
    reason: str | None
    message: str | None
    user_arguments: dict[str, Any] | None
    system_arguments: dict[str, Any] | None
    emitted: dict[str, Any] | None
    dataset_versions: list[WrittenVersion] | None


def read_changes(tx: Transaction, after: int, until: int, inherit: bool) -> list[RunStateChange]:
    """Return the changes with numbers above `after` and up to `until`, in their order."""
    rows = list_changes(tx, after=after, until=until)
    written: dict[str, list[WrittenVersion]] = defaultdict(list)
    for use in list_writes(tx, ids=sorted({row.run_id for row in rows if row.state in FINAL})):
        written[use.id].append(_version(use))
    return [_change(row, written, inherit) for row in rows]


def check_kept(bounds: Bounds, after: int) -> None:
    """Raise `Forgotten` unless all changes after a number are kept, or are still to come."""
    oldest = bounds.forgotten + 1
    if after < bounds.forgotten:
        raise Forgotten(
            f"changes after {after} are not kept any more: the oldest is {oldest}; "
            "ask for after=oldest, and take what was missed from the runs themselves",
            oldest,
            bounds.newest,
        )
    if after > bounds.newest:
        raise Forgotten(
            f"there is no change {after} yet, the newest is {bounds.newest}: "
            "was the graph restored? Ask for after=oldest",
            oldest,
            bounds.newest,
        )


def program_run_status(state: RunState) -> str | None:
    """Return CDAP's word for a state, if it has one."""
    return _STATUSES.get(state)


def _change(
    row: ChangeRow, written: dict[str, list[WrittenVersion]], inherit: bool
) -> RunStateChange:
    is_start, is_end = row.state in _STARTS, row.state in FINAL
    return RunStateChange(
        id=row.number,
        program_run_id=row.run_id,
        state=row.state,
        program_run_status=program_run_status(row.state),
        program=_program(row, inherit),
        state_change_time=row.at,
        recorded_at=row.recorded_at,
        start_ts=row.queued_at or row.started_at,
        run_ts=row.started_at if is_end or row.state is RunState.RUNNING else None,
        stop_ts=row.at if is_end else None,
        parent_run_id=row.parent_id,
        reason=row.reason,
        message=row.message,
        user_arguments=_decode(row.params) if is_start else None,
        system_arguments=_system_arguments(row) if is_start else None,
        emitted=_decode(row.emitted) if is_end else None,
        dataset_versions=written[row.run_id] if is_end else None,
    )


def _program(row: ChangeRow, inherit: bool) -> Program:
    return Program(
        namespace=row.top_namespace if inherit else row.namespace,
        application=row.application or _DEFAULT,
        version=row.version,
        type=_TYPES.get(row.kind or ""),
        name=row.name,
        kind=row.kind,
    )


def _system_arguments(row: ChangeRow) -> dict[str, Any]:
    """Return what the run was given by who started it, and not by a person."""
    said = {
        "attempt": row.attempt,
        "log": row.log,
        "partition": _decode(row.partition) or None,
        "nominalStartTime": row.nominal_start,
        "nominalEndTime": row.nominal_end,
        "trigger": row.trigger,
        "firing": row.firing,
    }
    return {name: value for name, value in said.items() if value is not None}


def _version(use: RunUseRow) -> WrittenVersion:
    return WrittenVersion(
        namespace=use.namespace,
        name=use.name,
        version=uuid_of(use.version),
        row_count=use.row_count,
        size=use.size,
        file_count=use.file_count,
    )


def _decode(text: str | None) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(text) if text else {}
    return found
