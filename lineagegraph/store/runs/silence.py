"""Runs of others that fell silent, and after how long they count as dead."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class SilentRun(msgspec.Struct, frozen=True):
    """A run that seems silent, and after how many seconds it is."""

    id: str
    seconds: float


class SilenceRow(msgspec.Struct, frozen=True):
    """Whether a run is silent, and the database's time."""

    is_silent: bool
    now: datetime


class SilentRunRow(msgspec.Struct, frozen=True):
    """A run that has not ended, with its own name and its facts."""

    id: str
    namespace: str
    name: str
    facts: str


@bound
def due_silent(
    tx: Transaction,
    *,
    ages: dict[str, float],
    shortest: float | None,
    inherit: bool,
    limit: int,
    now: datetime | None,
) -> list[SilentRun]: ...


@bound
def claim_silent(
    tx: Transaction, *, id: str, seconds: float, now: datetime | None
) -> SilenceRow | None: ...


@bound
def list_open(tx: Transaction, *, id: str) -> list[SilentRunRow]: ...


@bound
def set_job(tx: Transaction, *, job_key: str, seconds: float | None) -> None: ...


@bound
def get_job(tx: Transaction, *, job_key: str) -> float | None: ...
