"""History: runs with their data, and firings with their reasons."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.acknowledgement import Acknowledgement
from lineagegraph.model.runs.hand_mark import HandMark
from lineagegraph.model.runs.states import RunState


class RunRow(msgspec.Struct, frozen=True):
    """A run in the list of its job's runs; `fired_by` is its cause."""

    id: str  # id of the run
    state: str  # its state; PENDING if none was reported
    created_at: datetime | None  # time at which it was queued or first reported; None if unknown
    started_at: datetime | None  # its start; None before it
    ended_at: datetime | None  # its end; None before it
    nominal_start: datetime | None  # start of its data interval; None without one
    partition: str | None  # its partition as JSON; None without one
    params: str | None  # its parameters as JSON; None without any
    attempt: int | None  # number of its last attempt, from 1; None if not reported
    version: str | None  # hash of the pipeline version that it reported; None for others
    reason: str | None  # reason of its state, such as LOST; None without one
    message: str | None  # explanation of its state for people; None without one
    error: str | None  # error of a failed run; None without one
    fired_by: str | None  # firing, backfill or rerun that started it, in words; None for others
    acknowledgement: Acknowledgement | None  # who has seen its failure; None for nobody


class ChangedRunRow(msgspec.Struct, frozen=True):
    """A topmost run in the list of those of all jobs; `fired_by` is its cause."""

    id: str  # id of the run
    job: str | None  # full name of its job; None if unknown
    namespace: str | None  # namespace of its job; None if unknown
    state: str  # its state; PENDING if none was reported
    state_at: datetime  # time of its last change of state
    started_at: datetime | None  # its start; None before it
    ended_at: datetime | None  # its end; None before it
    partition: str | None  # its partition as JSON; None without one
    params: str | None  # its parameters as JSON; None without any
    reason: str | None  # reason of its state, such as LOST; None without one
    message: str | None  # explanation of its state for people; None without one
    error: str | None  # error of a failed run; None without one
    fired_by: str | None  # firing, backfill or rerun that started it, in words; None for others
    acknowledgement: Acknowledgement | None  # who has seen its failure; None for nobody


class WholeRunRow(msgspec.Struct, frozen=True):
    """All properties of a run; `name` is its job's FQN, `params` and the like are JSON."""

    id: str  # id of the run
    namespace: str | None  # namespace that its producer gives it; None if unknown
    name: str  # full name of its job
    job_key: str | None  # key of its job; None without a job
    kind: str | None  # kind of the run or its job; None if unknown
    state: str  # its state; PENDING if none was reported
    created_at: datetime | None  # time at which it was queued or first reported; None if unknown
    started_at: datetime | None  # its start; None before it
    ended_at: datetime | None  # its end; None before it
    nominal_start: datetime | None  # start of its data interval; None without one
    nominal_end: datetime | None  # end of its data interval; None without one
    attempt: int | None  # number of its last attempt, from 1; None if not reported
    version: str | None  # hash of the pipeline version that it reported; None for others
    reason: str | None  # reason of its state, such as LOST; None without one
    message: str | None  # explanation of its state for people; None without one
    error: str | None  # error of a failed run; None without one
    params: str | None  # JSON text of its parameters; None without any
    variables: str | None  # JSON text of the variables that it read; None without any
    emitted: str | None  # JSON text of the values that it emitted; None without any
    output: str | None  # JSON text of the value that it returned; None without one
    cost: str | None  # JSON text of its Spark usage; None without any
    log: str | None  # path of its log file; None if not reported
    owner: str | None  # process that took it last; None for runs of other producers
    parent: str | None  # id of the run above it; None at the top
    backfill: str | None  # id of the backfill that started it; None for others
    rerun_of: str | None  # id of the run that it repeats; None if it is no rerun
    # its number among the reruns of the first run, from 1; None if it is no rerun
    rerun_number: int | None
    rerun_policy: str | None  # `as_was`, `latest` or `pinned:` with a hash; None if it is no rerun
    mark: HandMark | None  # mark by hand that decides its state; None without one
    acknowledgement: Acknowledgement | None  # who has seen its failure; None for nobody


class OutputRow(msgspec.Struct, frozen=True):
    """The value that a run returned, as JSON text; `name` is its job's FQN."""

    id: str
    name: str
    output: str


class TaskRunRow(msgspec.Struct, frozen=True):
    """The state of a run of a task."""

    id: str  # id of the run
    state: RunState  # its state
    started_at: datetime | None  # its start; None before it
    ended_at: datetime | None  # its end; None before it
    attempt: int | None  # number of its last attempt, from 1; None if not reported
    reason: str | None  # reason of its state, such as UPSTREAM_FAILED; None without one
    message: str | None  # explanation of its state for people; None without one
    error: str | None  # error of a failed run; None without one
    mark: HandMark | None  # mark by hand that decides its state; None without one


class ProgramRunRow(msgspec.Struct, frozen=True):
    """A run of a pipeline; `params` is JSON text, `is_open` whether it is queued or in progress."""

    id: str
    state: RunState
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    params: str | None
    is_open: bool


class DatasetUseRow(msgspec.Struct, frozen=True):
    """A read or write of a dataset by a run."""

    key: str  # key of the dataset
    namespace: str  # namespace of the dataset
    name: str  # name of the dataset
    row_count: int | None  # rows that were read or written; None if not reported
    size: int | None  # bytes that were read or written; None if not reported
    file_count: int | None  # files that were read or written; None if not reported
    version: str | None  # version as the producer names it; None if it names none
    partitions: tuple[str, ...]  # JSON texts of the reported subsets of the data


class RunOrderRow(msgspec.Struct, frozen=True):
    """A run that another follows, or that follows it; `part` is `follows` or `followed by`."""

    part: str
    run: str
    job: str
    state: str


class ConsumedRow(msgspec.Struct, frozen=True):
    """One thing that satisfied a firing: a run, a dataset version or a scheduled time."""

    kind: str
    name: str | None
    id: str
    state: str | None
    at: datetime | None


class StartedRow(msgspec.Struct, frozen=True):
    """A run that a firing started."""

    id: str
    state: str | None


class FiringRow(msgspec.Struct, frozen=True):
    """One decision of a trigger; `starts` is the FQN of the job that it starts."""

    key: str  # key of the firing
    fired_at: datetime | None  # time of the decision; None if unknown
    trigger: str  # id of the trigger
    trigger_name: str | None  # name of the trigger; None without one
    starts: str | None  # full name of the job that it starts; None if there is none
    generation: int | str | None  # counter of its cell at that time; None if started by hand
    reason: str | None  # its occurrences in words, or `started by hand`; None if unknown
    state: str | None  # state, such as PENDING, HELD or DEAD_LETTER; None if unknown
    consumed: tuple[ConsumedRow, ...]  # runs, dataset versions and times that it consumed
    started: tuple[StartedRow, ...]  # runs that it started


class RunFiringRow(msgspec.Struct, frozen=True):
    """A firing from the view of one run: `part` is `started by` or `fired`."""

    part: str  # `started by` if it started the run, `fired` if it consumed it
    key: str  # key of the firing
    trigger: str  # id of the trigger
    trigger_name: str | None  # name of the trigger; None without one
    starts: str | None  # full name of the job that it starts; None if there is none
    fired_at: datetime | None  # time of the decision; None if unknown
    reason: str | None  # its occurrences in words, or `started by hand`; None if unknown
    run: str | None  # id of the run that it started; None if it started this run, or none


class NowRow(msgspec.Struct, frozen=True):
    """A topmost run, as the overview shows it."""

    id: str  # id of the run
    job: str  # full name of its job
    namespace: str  # namespace of its job
    state: str  # its state
    at: datetime  # time of its end; of its start or creation if it has not ended
    partition: str | None  # its partition as canonical JSON; None without one
    reason: str | None  # reason of its state; None without one
    error: str | None  # its error or message; None without one
    acknowledgement: Acknowledgement | None = None  # who has seen its failure; None for nobody


@bound
def list_ended(tx: Transaction, *, since: datetime, state: str, limit: int) -> list[NowRow]: ...


@bound
def list_changed(
    tx: Transaction,
    *,
    since: datetime | None,
    states: list[str] | None,
    namespace: str | None,
    unacknowledged: bool,
    limit: int,
) -> list[ChangedRunRow]: ...


@bound
def list_unended(tx: Transaction, *, limit: int) -> list[NowRow]: ...


@bound
def list_runs(
    tx: Transaction, *, job_key: str, before: datetime | None, limit: int
) -> list[RunRow]: ...


@bound
def get_run(tx: Transaction, *, id: str) -> WholeRunRow | None: ...


@bound
def list_program_runs(
    tx: Transaction,
    *,
    key: str,
    version: str | None,
    states: list[str],
    since: datetime,
    until: datetime,
    limit: int,
) -> list[ProgramRunRow]: ...


@bound
def get_program_run(
    tx: Transaction, *, key: str, version: str | None, id: str
) -> ProgramRunRow | None: ...


@bound
def list_task_runs(tx: Transaction, *, ids: list[str]) -> list[TaskRunRow]: ...


@bound
def list_reads(tx: Transaction, *, id: str) -> list[DatasetUseRow]: ...


@bound
def list_writes(tx: Transaction, *, id: str) -> list[DatasetUseRow]: ...


@bound
def list_firings(
    tx: Transaction, *, trigger: str | None, until: datetime | None, limit: int
) -> list[FiringRow]: ...


@bound
def list_firings_of_run(tx: Transaction, *, id: str) -> list[RunFiringRow]: ...


@bound
def list_orders(tx: Transaction, *, id: str, limit: int) -> list[RunOrderRow]: ...


@bound
def list_outputs(tx: Transaction, *, ids: list[str]) -> list[OutputRow]: ...
