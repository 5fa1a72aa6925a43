"""Sessions of browsers on the HTTP server."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class SessionRow(msgspec.Struct, frozen=True):
    """A session by its hash: of the token with `token_hash`, or of a provider's user."""

    hash: str  # SHA-256 of the cookie
    token_hash: str | None  # the token that it was exchanged for
    issuer: str | None  # the provider that knows the user
    user: str | None  # the user's name there
    groups: list[str]  # the user's groups at the login
    used_at: datetime  # last use, a minute late at most
    last_at: datetime  # its end, however it is used


@bound
def merge_session(
    tx: Transaction,
    *,
    hash: str,
    token_hash: str | None,
    issuer: str | None,
    user: str | None,
    groups: list[str],
    lifetime: timedelta,
    until: datetime | None,
    now: datetime | None,
) -> SessionRow: ...


@bound
def get_session(tx: Transaction, *, hash: str) -> SessionRow | None: ...


@bound
def set_used(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def delete_session(tx: Transaction, *, hash: str) -> None: ...


@bound
def delete_ended(tx: Transaction, *, idle: timedelta, now: datetime | None) -> None: ...


@bound
def delete_of_user(tx: Transaction, *, user: str) -> int: ...
