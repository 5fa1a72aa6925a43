"""Triggers: the rules that say what starts a job."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class Occurrence(msgspec.Struct, frozen=True):
    """Something that makes a condition hold: its text, what happened, when, and to what."""

    text: str
    status: str
    occurred_at: datetime
    subject: str | None


class DueTrigger(msgspec.Struct, frozen=True):
    """A trigger whose condition holds."""

    id: str
    name: str
    generation: int
    job_key: str
    job_namespace: str
    job_name: str
    occurrences: list[Occurrence]


@bound
def merge_trigger(
    tx: Transaction, *, id: str, name: str, job_key: str, now: datetime | None
) -> None: ...


@bound
def delete_trigger(tx: Transaction, *, id: str) -> None: ...


@bound
def set_enabled(tx: Transaction, *, id: str, enabled: bool, now: datetime | None) -> None: ...


@bound
def claim_watchers(tx: Transaction, *, run_ids: list[str]) -> list[str]: ...


@bound
def claim_triggers(tx: Transaction, *, ids: list[str]) -> list[str]: ...


@bound
def due_triggers(tx: Transaction, *, ids: list[str]) -> list[DueTrigger]: ...
