"""The triggers that the graph has."""

from datetime import datetime
from typing import Literal

import msgspec

from lineagegraph.graph import Transaction, bound


class TriggerRow(msgspec.Struct, frozen=True):
    """A trigger; `starts` is the FQN of the job that it starts, `text` its condition in words."""

    id: str  # id of the trigger
    name: str | None  # name among the triggers of its job; None without one
    enabled: bool  # whether it fires; False if suspended
    created_at: datetime | None  # time at which it was stored; None if unknown
    generation: int | None  # firings by its condition so far; None if unknown
    starts: str | None  # full name of the job that it starts; None if there is none
    namespace: str | None  # namespace of that job; None if there is none
    text: str | None  # its condition in words; None if unknown
    firings: int  # firings that are still stored
    fired_at: datetime | None  # time of the latest of these; None without any


class WholeTriggerRow(TriggerRow, frozen=True):
    """A trigger with its rule (JSON), and the key and dates of the job that it starts."""

    suspended_at: datetime | None  # time of its last suspension; None if it never was
    suspended_because: str | None  # reason of a suspension that no person asked for
    origin: str | None  # author of the rule: `definition`, `schedule` or `request`; None if unknown
    description: str | None  # description for people; None without one
    job_key: str | None  # key of the job that it starts; None if there is none
    rule: str | None  # the rule as JSON text; None if unknown
    start_date: datetime | None  # first time at which its schedules count; None for no limit
    end_date: datetime | None  # last time at which its schedules count; None for no limit


class NamedTrigger(msgspec.Struct, frozen=True):
    """A trigger that fits a name: by its id (rank 0), its name (1) or its job's (2)."""

    id: str
    rank: int


class AffectedTrigger(msgspec.Struct, frozen=True):
    """A trigger that a change of a job or dataset touches."""

    id: str  # id of the trigger
    name: str | None  # name of the trigger; None without one
    role: str  # `starts it`, `waits for it` or `is limited by it`
    starts: str | None  # full name of the job that it starts
    namespace: str | None  # namespace of that job
    text: str | None  # its condition in words
    origin: str | None  # author of the rule: `definition`, `schedule` or `request`
    held: int  # occurrences that it holds: its half-met state


class ConditionRow(msgspec.Struct, frozen=True):
    """A condition, the id of the one it is an operand of, and its unconsumed occurrences."""

    id: str  # id of the condition
    parent: str | None  # id of the condition that it is an operand of; None for the root
    operator: str  # kind of the condition in capitals, such as AND, STATUS or CRON
    text: str | None  # the condition in words; None if unknown
    statuses: tuple[str, ...]  # states of a run that count; empty for other kinds
    cron: str | None  # cron expression of a schedule; None for other kinds
    zone: str | None  # time zone of the cron expression; None for other kinds
    next_at: datetime | None  # next time of a schedule, interval or absence; None for other kinds
    watches: str | None  # full name of the watched job, or name of the dataset; None for others
    # UNKNOWN without a definition and runs of the watched job, WITHDRAWN without its definition
    absence: Literal["UNKNOWN", "WITHDRAWN"] | None
    need: int  # operands, or occurrences of a leaf, that make it true
    within: float | None  # seconds that bound the occurrences; None for no bound
    occurrences: int  # occurrences that its cells hold


@bound
def list_triggers(
    tx: Transaction, *, namespace: str | None, starts: str | None, limit: int, offset: int
) -> list[TriggerRow]: ...


@bound
def count_triggers(tx: Transaction, *, namespace: str | None) -> int: ...


@bound
def list_named(tx: Transaction, *, name: str) -> list[NamedTrigger]: ...


@bound
def get_trigger(tx: Transaction, *, id: str) -> WholeTriggerRow | None: ...


@bound
def list_affected(tx: Transaction, *, key: str) -> list[AffectedTrigger]: ...


@bound
def walk_conditions(tx: Transaction, *, id: str) -> list[ConditionRow]: ...
