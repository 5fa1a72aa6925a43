"""The migrations that were applied to the graph, and the lock under which they are."""

from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph.binding import Transaction, bound


class Applied(msgspec.Struct, frozen=True):
    """A migration that was applied; `back` are the statements that revert it."""

    name: str
    checksum: str
    back: str
    applied_at: datetime


@bound
def list_migrations(tx: Transaction) -> list[Applied]: ...


@bound
def merge_migration(tx: Transaction, *, name: str, checksum: str, back: str) -> None: ...


@bound
def delete_migration(tx: Transaction, *, name: str) -> None: ...


@bound
def list_populating(tx: Transaction) -> list[str]: ...


@bound
def set_one_lock(tx: Transaction) -> None: ...


@bound
def claim_lock(tx: Transaction, *, owner: str, term: timedelta) -> str | None: ...


@bound
def release_lock(tx: Transaction, *, owner: str) -> None: ...
