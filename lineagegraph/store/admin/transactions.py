"""Transactions of the server that are under way."""

import msgspec

from lineagegraph.graph import Transaction, bound


class EndedRow(msgspec.Struct, frozen=True):
    """A terminated transaction and the server's message."""

    id: str
    message: str


@bound
def release_marked(tx: Transaction, *, mark: str) -> list[EndedRow]: ...
