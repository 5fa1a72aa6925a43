"""Tokens: rights of HTTP callers."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class TokenRow(msgspec.Struct, frozen=True):
    """A token by its hash, with the namespaces that each role covers and its dataset patterns."""

    name: str  # unique
    hash: str  # SHA-256 of the secret
    read: list[str]  # namespaces that it may read
    write: list[str]  # namespaces whose events it may write
    operate: list[str]  # namespaces that it may operate
    admin: list[str]  # * if it may read the audit log
    datasets: list[str]  # patterns of dataset namespaces that it may describe
    created_at: datetime  # when the name was added
    expires_at: datetime | None  # when the secret expires
    used_at: datetime | None  # last use, a minute late at most
    rotated_at: datetime | None  # when the secret was replaced
    old_hash: str | None  # SHA-256 of the secret before
    old_until: datetime | None  # when that one expires


@bound
def merge_token(
    tx: Transaction,
    *,
    name: str,
    hash: str,
    read: list[str],
    write: list[str],
    operate: list[str],
    admin: list[str],
    datasets: list[str],
    expires: timedelta | None,
    now: datetime | None,
) -> str | None: ...


@bound
def list_left(tx: Transaction, *, name: str) -> list[str]: ...


@bound
def list_tokens(tx: Transaction) -> list[TokenRow]: ...


@bound
def delete_token(tx: Transaction, *, name: str, created_at: datetime | None) -> str | None: ...


@bound
def set_rotated(
    tx: Transaction,
    *,
    name: str,
    hash: str,
    grace: timedelta,
    expires: timedelta | None,
    now: datetime | None,
) -> str | None: ...


@bound
def set_used(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...
