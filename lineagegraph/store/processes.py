"""Processes that work on the graph, and their signs of life."""

from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction, bound


class LiveProcess(msgspec.Struct, frozen=True):
    """A process; `address` is where a nudge reaches it, as `host:port`."""

    id: str
    kind: str
    host: str
    pid: int
    address: str | None
    started_at: datetime


@bound
def merge_process(
    tx: Transaction,
    *,
    id: str,
    kind: str,
    host: str,
    pid: int,
    address: str | None,
    now: datetime | None,
) -> None: ...


@bound
def list_live(
    tx: Transaction, *, kind: str, within: timedelta, now: datetime | None
) -> list[LiveProcess]: ...


@bound
def delete_process(tx: Transaction, *, id: str) -> None: ...


@bound
def delete_silent(tx: Transaction, *, within: timedelta, now: datetime | None) -> None: ...
