"""Events as they were received, their facets by hash."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class ReceivedEvent(msgspec.Struct, frozen=True):
    """An event as it is kept; `received_at` is exact, to a nanosecond."""

    id: str
    received_at: str
    author: str | None
    claims: list[str] | None
    body: str


class DueClaim(msgspec.Struct, frozen=True):
    """An event with claims that other rights judged."""

    id: str
    author: str
    claims: list[str]
    body: str


class ClaimingEvent(msgspec.Struct, frozen=True):
    """An event with claims: the JSON paths of its parts that are no facts."""

    id: str
    received_at: datetime
    author: str
    claims: list[str]
    body: str


@bound
def list_due_claims(tx: Transaction, *, rights: str, limit: int) -> list[DueClaim]: ...


@bound
def set_claims(tx: Transaction, *, rows: list[dict[str, Any]], rights: str) -> None: ...


@bound
def list_claims(
    tx: Transaction, *, author: str | None, offset: int, limit: int
) -> list[ClaimingEvent]: ...


@bound
def count_claims(tx: Transaction, *, author: str | None) -> int: ...


@bound
def list_newest(
    tx: Transaction,
    *,
    after: str | None,
    before: str | None,
    part: str | None,
    offset: int,
    limit: int,
) -> list[str]: ...


@bound
def list_oldest(
    tx: Transaction,
    *,
    after: str | None,
    before: str | None,
    part: str | None,
    offset: int,
    limit: int,
) -> list[str]: ...


@bound
def count_events(
    tx: Transaction, *, after: str | None, before: str | None, part: str | None
) -> int: ...


@bound
def list_newest_of_run(
    tx: Transaction, *, run: str, after: str | None, before: str | None, offset: int, limit: int
) -> list[str]: ...


@bound
def list_oldest_of_run(
    tx: Transaction, *, run: str, after: str | None, before: str | None, offset: int, limit: int
) -> list[str]: ...


@bound
def count_events_of_run(
    tx: Transaction, *, run: str, after: str | None, before: str | None
) -> int: ...


@bound
def list_received(
    tx: Transaction, *, after: str, after_id: str, limit: int
) -> list[ReceivedEvent]: ...


@bound
def list_known(tx: Transaction, *, ids: list[str]) -> list[str]: ...
