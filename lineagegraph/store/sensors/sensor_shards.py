"""Shards of sensors: each is held by one process at a time, by lease and epoch."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class Shard(msgspec.Struct, frozen=True):
    """A shard; without an owner it may be taken."""

    number: int
    owner: str | None
    epoch: int
    lease_until: datetime | None


class Held(msgspec.Struct, frozen=True):
    """A shard that is held, under an epoch."""

    number: int
    epoch: int


@bound
def merge_shards(tx: Transaction, *, count: int) -> None: ...


@bound
def delete_shards(tx: Transaction, *, count: int) -> None: ...


@bound
def list_shards(tx: Transaction, *, now: datetime | None) -> list[Shard]: ...


@bound
def claim_shards(
    tx: Transaction, *, numbers: list[int], owner: str, lease: timedelta, now: datetime | None
) -> list[Held]: ...


@bound
def set_leases(
    tx: Transaction,
    *,
    rows: list[dict[str, Any]],
    owner: str,
    lease: timedelta,
    now: datetime | None,
) -> list[Held]: ...


@bound
def release_shards(tx: Transaction, *, rows: list[dict[str, Any]], owner: str) -> None: ...


@bound
def claim_fences(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[int]: ...
