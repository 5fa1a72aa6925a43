"""The pause of all triggers."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.store.triggers.occurrences import TimedCondition


class PauseRow(msgspec.Struct, frozen=True):
    """A pause of all triggers; it is over after its end, until a daemon has ended it."""

    reason: str
    author: str
    since: datetime
    until: datetime | None
    is_over: bool


@bound
def get_pause(tx: Transaction, *, now: datetime | None) -> PauseRow | None: ...


@bound
def claim_pause(tx: Transaction) -> None: ...


@bound
def merge_pause(
    tx: Transaction, *, reason: str, author: str, until: datetime | None, now: datetime | None
) -> datetime | None: ...


@bound
def claim_end(tx: Transaction, *, by_hand: bool, now: datetime | None) -> datetime | None: ...


@bound
def set_resumed(tx: Transaction, *, at: datetime) -> int: ...


@bound
def list_timed(tx: Transaction, *, at: datetime) -> list[TimedCondition]: ...


@bound
def list_sensors(tx: Transaction) -> list[str]: ...
