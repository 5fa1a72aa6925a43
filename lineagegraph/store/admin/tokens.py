"""Tokens: rights of HTTP callers."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class TokenRow(msgspec.Struct, frozen=True):
    """A token by its hash, with the namespaces that each role covers and its dataset patterns."""

    name: str
    hash: str
    read: list[str]
    write: list[str]
    operate: list[str]
    datasets: list[str]
    created_at: datetime


@bound
def merge_token(
    tx: Transaction,
    *,
    name: str,
    hash: str,
    read: list[str],
    write: list[str],
    operate: list[str],
    datasets: list[str],
    now: datetime | None,
) -> str | None: ...


@bound
def list_tokens(tx: Transaction) -> list[TokenRow]: ...


@bound
def delete_token(tx: Transaction, *, name: str) -> str | None: ...
