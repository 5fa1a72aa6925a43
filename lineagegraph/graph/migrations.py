"""What the graph keeps of its own schema: which migrations were applied, and who applies some."""

from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph.binding import Transaction, bound


class Applied(msgspec.Struct, frozen=True):
    """A migration that a graph has; `back` is the statement that takes it back."""

    name: str
    checksum: str
    back: str | None
    applied_at: datetime


@bound
def list_migrations(tx: Transaction) -> list[Applied]: ...


@bound
def merge_migration(tx: Transaction, *, name: str, checksum: str, back: str | None) -> None: ...


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
