"""Events as they were received, their facets by hash."""

import msgspec

from lineagegraph.graph import Transaction, bound


class ReceivedEvent(msgspec.Struct, frozen=True):
    """An event as it is kept; `received_at` is exact, to a nanosecond."""

    id: str
    received_at: str
    body: str


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
def list_received(
    tx: Transaction, *, after: str, after_id: str, limit: int
) -> list[ReceivedEvent]: ...
