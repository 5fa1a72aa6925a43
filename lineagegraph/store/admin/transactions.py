"""Transactions of the server that are under way."""

import msgspec

from lineagegraph.graph import Transaction, bound


class EndedRow(msgspec.Struct, frozen=True):
    """A transaction that was told to end, and what the server says of that."""

    id: str
    message: str


@bound
def release_marked(tx: Transaction, *, mark: str) -> list[EndedRow]: ...
