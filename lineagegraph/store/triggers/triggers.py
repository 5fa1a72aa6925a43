"""Triggers: the rules that start jobs."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class KnownTrigger(msgspec.Struct, frozen=True):
    """A trigger before it is written again; `now` is the database's time.

    `suspended_because` is the reason of a suspension that no person asked for.
    """

    id: str
    is_new: bool
    rule: str | None
    enabled: bool
    suspended_because: str | None
    now: datetime


class Enabled(msgspec.Struct, frozen=True):
    """When a trigger was enabled or suspended."""

    now: datetime


class TriggerTarget(msgspec.Struct, frozen=True):
    """A job that a trigger starts."""

    trigger_id: str
    key: str
    namespace: str
    name: str
    fqn: str


class DefinedTrigger(msgspec.Struct, frozen=True):
    """A trigger that the definition of a job states."""

    job_key: str
    id: str


class SetOff(msgspec.Struct, frozen=True):
    """A job, and the next that triggers with these ids start when it ends."""

    key: str
    next: str
    fqn: str
    by: list[str]


@bound
def merge_triggers(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[KnownTrigger]: ...


@bound
def set_rules(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[TriggerTarget]: ...


@bound
def merge_constraints(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def delete_trigger(tx: Transaction, *, id: str, now: datetime | None) -> str | None: ...


@bound
def set_enabled(
    tx: Transaction, *, id: str, enabled: bool, because: str | None, now: datetime | None
) -> Enabled | None: ...


@bound
def claim_triggers(tx: Transaction, *, ids: list[str]) -> list[str]: ...


@bound
def list_set_off(tx: Transaction, *, keys: list[str]) -> list[SetOff]: ...


@bound
def list_defined(tx: Transaction, *, keys: list[str]) -> list[DefinedTrigger]: ...


@bound
def list_starting(tx: Transaction, *, job_key: str) -> list[str]: ...
