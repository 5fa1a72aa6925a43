"""Tags and the nodes that have them."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class TagRow(msgspec.Struct, frozen=True):
    """A tag."""

    name: str
    description: str | None


@bound
def merge_tag(
    tx: Transaction, *, name: str, description: str | None, now: datetime | None
) -> TagRow: ...


@bound
def get_tag(tx: Transaction, *, name: str) -> TagRow | None: ...


@bound
def list_tags(tx: Transaction, *, limit: int, offset: int) -> list[TagRow]: ...


@bound
def count_tags(tx: Transaction) -> int: ...


@bound
def link_tags(tx: Transaction, *, key: str, names: list[str], now: datetime | None) -> None: ...


@bound
def delete_tagged(tx: Transaction, *, key: str, name: str) -> None: ...
