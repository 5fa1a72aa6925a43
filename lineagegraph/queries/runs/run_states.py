"""State changes of runs, with the details that subscribers receive."""

from collections import defaultdict
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lineagegraph.errors import Forgotten
from lineagegraph.graph import Transaction
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.model.runs.states import FINAL, JobKind, RunState
from lineagegraph.store.jobs.details import RunUseRow, list_writes
from lineagegraph.store.runs.state_changes import Bounds, ChangeRow, list_changes

_DEFAULT = "default"
_STARTS = frozenset({RunState.PENDING, RunState.WAITING, RunState.RUNNING})
_Status = Literal["INITIALIZING", "RUNNING", "COMPLETED", "FAILED", "KILLED"]
# CDAP's words; it has none for runs that ran nothing.
_STATUSES: dict[RunState, _Status] = {
    RunState.PENDING: "INITIALIZING",
    RunState.WAITING: "INITIALIZING",
    RunState.RUNNING: "RUNNING",
    RunState.COMPLETED: "COMPLETED",
    RunState.FAILED: "FAILED",
    RunState.KILLED: "KILLED",
}
_TYPES: dict[str, Literal["WORKFLOW", "SPARK"]] = {
    JobKind.PIPELINE: "WORKFLOW",
    JobKind.TASK: "SPARK",
    JobKind.APPLICATION: "SPARK",
}


_Uuid = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
_Time = Annotated[datetime, Meta(tz=True)]


def _about(text: str) -> Meta:
    return Meta(description=text)


class RunProgram(msgspec.Struct, frozen=True, rename="camel"):
    """The job that the run is of."""

    namespace: Annotated[str, _about("As jobs are served in it.")]
    application: Annotated[str, _about("The project whose definitions were synced.")]
    version: Annotated[str | None, _about("Hash of the version of the job that the run ran.")]
    type: Annotated[Literal["WORKFLOW", "SPARK"] | None, _about("CDAP's word for the kind.")]
    name: Annotated[str, _about("Full name of the job.")]
    kind: Annotated[
        str | None,
        _about("pipeline, group, task, application, action, sensor or external."),
    ]


class OutputVersion(msgspec.Struct, frozen=True, rename="camel"):
    """A version of a dataset that a run wrote."""

    namespace: str
    name: str
    version: _Uuid | None
    row_count: int | None
    size: int | None
    file_count: int | None


class RunStateChange(msgspec.Struct, frozen=True, rename="camel"):
    """A change of state of a run."""

    id: Annotated[int, Meta(ge=1), _about("Its number: later changes have larger ones.")]
    program_run_id: Annotated[_Uuid, _about("The run.")]
    state: Annotated[RunState, _about("The state that the run came to.")]
    program_run_status: Annotated[
        _Status | None, _about("CDAP's word for it; null where it has none.")
    ]
    program: Annotated[RunProgram, _about("The job of the run.")]
    state_change_time: Annotated[
        _Time, _about("When the run came to the state, as its events have it.")
    ]
    recorded_at: Annotated[_Time, _about("When the graph took it in, by the database's clock.")]
    start_ts: Annotated[_Time | None, _about("When the run was queued, or else when it began.")]
    run_ts: Annotated[_Time | None, _about("When it began to run.")]
    stop_ts: Annotated[_Time | None, _about("When it ended; only with an end.")]
    parent_run_id: Annotated[_Uuid | None, _about("The run that it is a part of.")]
    reason: Annotated[
        str | None,
        _about("Why it is so, where that is known: LOST, SILENT, CANCELLED, WAITS_FOR_PARENTS."),
    ]
    message: Annotated[str | None, _about("The reason in words, where one was given.")]
    user_arguments: Annotated[
        dict[str, Any] | None, _about("The run's parameters; only with a start.")
    ]
    system_arguments: Annotated[
        dict[str, Any] | None,
        _about(
            "Arguments of its start: attempt, log, partition, nominal times, trigger, firing; "
            "only with a start."
        ),
    ]
    emitted: Annotated[
        dict[str, Any] | None, _about("Values that the run emitted; only with an end.")
    ]
    dataset_versions: Annotated[
        list[OutputVersion] | None, _about("Data that the run wrote; only with an end.")
    ]


def read_changes(tx: Transaction, after: int, until: int, inherit: bool) -> list[RunStateChange]:
    """Return the changes with numbers in `(after, until]`, in order."""
    rows = list_changes(tx, after=after, until=until)
    written: dict[str, list[OutputVersion]] = defaultdict(list)
    for use in list_writes(tx, ids=sorted({row.run_id for row in rows if row.state in FINAL})):
        written[use.id].append(_version(use))
    return [_change(row, written, inherit) for row in rows]


def check_kept(bounds: Bounds, after: int) -> None:
    """Raise `Forgotten` unless all changes after a number are stored or still to come."""
    oldest = bounds.forgotten + 1
    if after < bounds.forgotten:
        raise Forgotten(
            f"changes after {after} are no longer stored: the oldest is {oldest}; "
            "ask for after=oldest, and read missed changes from the runs",
            oldest,
            bounds.newest,
        )
    if after > bounds.newest:
        raise Forgotten(
            f"change {after} does not exist yet, the newest is {bounds.newest}: "
            "was the graph restored? Ask for after=oldest",
            oldest,
            bounds.newest,
        )


def program_run_status(state: RunState) -> _Status | None:
    """Return CDAP's name of a state, if it has one."""
    return _STATUSES.get(state)


def _change(
    row: ChangeRow, written: dict[str, list[OutputVersion]], inherit: bool
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


def _program(row: ChangeRow, inherit: bool) -> RunProgram:
    return RunProgram(
        namespace=row.top_namespace if inherit else row.namespace,
        application=row.application or _DEFAULT,
        version=row.version,
        type=_TYPES.get(row.kind or ""),
        name=row.name,
        kind=row.kind,
    )


def _system_arguments(row: ChangeRow) -> dict[str, Any]:
    """Return the arguments that the system, not a person, gave the run."""
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


def _version(use: RunUseRow) -> OutputVersion:
    return OutputVersion(
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
