"""Sweeps: old runs, the needed ones among them, and the parts deleted with the others."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.states import RunState


class ServedJob(msgspec.Struct, frozen=True):
    """A job and the namespace that it is served in."""

    key: str
    namespace: str


class OldRun(msgspec.Struct, frozen=True):
    """A run that is old enough to go; `held` is by a condition that has yet to use it."""

    id: str
    created_at: str
    state: RunState
    facts: str | None
    events: int
    adopted: bool
    held: bool


class LatestWriter(msgspec.Struct, frozen=True):
    """A dataset, and who wrote the latest of its versions that would go."""

    key: str
    writer: str | None
    written_at: datetime | None


class ReleasedRun(msgspec.Struct, frozen=True):
    """A run that stays."""

    id: str
    job_key: str | None


class Condemned(msgspec.Struct, frozen=True):
    """How much of a job would go."""

    job_key: str | None
    runs: int
    events: int
    versions: int


class ClaimedRun(msgspec.Struct, frozen=True):
    """A run that is to go, or stays after all, with what goes with it."""

    id: str
    job_key: str | None
    stays: bool
    events: int
    versions: int


class FactTexts(msgspec.Struct, frozen=True):
    """The facts of a dataset, of now and before imports, as JSON text."""

    key: str
    facts: str
    images: list[str]


@bound
def claim_turn(
    tx: Transaction, *, every: timedelta, again: timedelta, now: datetime | None
) -> str | None: ...


@bound
def set_turn_done(tx: Transaction) -> None: ...


@bound
def list_jobs(tx: Transaction, *, after: str, limit: int, inherit: bool) -> list[ServedJob]: ...


@bound
def list_old(
    tx: Transaction, *, job_key: str, before: datetime, at: str, id: str, limit: int
) -> list[OldRun]: ...


@bound
def set_condemned(tx: Transaction, *, rows: list[dict[str, Any]], sweep: str) -> None: ...


@bound
def list_current(tx: Transaction, *, after: str, limit: int, sweep: str) -> list[LatestWriter]: ...


@bound
def list_kept(tx: Transaction, *, after: str, limit: int, sweep: str) -> list[str]: ...


@bound
def list_parents(tx: Transaction, *, ids: list[str], sweep: str) -> list[str]: ...


@bound
def list_repeated(tx: Transaction, *, ids: list[str], sweep: str) -> list[str]: ...


@bound
def release_runs(tx: Transaction, *, ids: list[str], sweep: str) -> list[ReleasedRun]: ...


@bound
def release_all(tx: Transaction, *, limit: int) -> int: ...


@bound
def count_condemned(tx: Transaction, *, sweep: str) -> list[Condemned]: ...


@bound
def claim_condemned(tx: Transaction, *, sweep: str, limit: int) -> list[ClaimedRun]: ...


@bound
def list_bodies(tx: Transaction, *, ids: list[str]) -> list[str]: ...


@bound
def delete_runs(tx: Transaction, *, ids: list[str]) -> None: ...


@bound
def set_loose(tx: Transaction, *, hashes: list[str], loose: bool | None) -> None: ...


@bound
def list_loose(tx: Transaction) -> list[str]: ...


@bound
def list_fact_texts(tx: Transaction, *, after: str, limit: int) -> list[FactTexts]: ...


@bound
def delete_archives(
    tx: Transaction, *, pinned: list[str], after: str, limit: int, dry_run: bool
) -> list[str]: ...


@bound
def delete_task_codes(tx: Transaction, *, after: str, limit: int, dry_run: bool) -> list[str]: ...


@bound
def delete_environments(
    tx: Transaction, *, kept: str, after: str, limit: int, dry_run: bool
) -> list[str]: ...


@bound
def delete_external_events(tx: Transaction, *, before: datetime, limit: int) -> int: ...


@bound
def delete_expansions(tx: Transaction, *, limit: int) -> int: ...


@bound
def list_pinned(tx: Transaction) -> list[str]: ...


@bound
def list_kept_files(tx: Transaction, *, hashes: list[str]) -> list[str]: ...
