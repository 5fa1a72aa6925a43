"""Sessions of browsers on the HTTP server: 256 random bits, of which the graph has the SHA-256."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from lineagegraph.admin.tokens import hash_token
from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.admin import sessions
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.admin.sessions import SessionRow

_BYTES = 32


class User(NamedTuple):
    """A user of a login provider, with the groups that the provider stated."""

    issuer: str
    name: str
    groups: tuple[str, ...]


def add_session(
    graph: Graph,
    lifetime: timedelta,
    *,
    token: bytes | None = None,
    user: User | None = None,
    until: datetime | None = None,
) -> tuple[str, SessionRow]:
    """Store a session of a token or of a user; return its secret, only this once."""
    secret = secrets.token_urlsafe(_BYTES)

    def work(tx: Transaction) -> SessionRow:
        row = sessions.merge_session(
            tx,
            hash=hash_session(secret),
            token_hash=hash_token(token) if token is not None else None,
            issuer=user.issuer if user else None,
            user=user.name if user else None,
            groups=list(user.groups) if user else [],
            lifetime=lifetime,
            until=until,
            now=None,
        )
        _audit(tx, "session.begin", row.hash, user and user.name)
        return row

    return secret, graph.write(work)


def get_session(graph: Graph, hash_: str) -> SessionRow | None:
    """Return a session by its hash."""
    return graph.read(sessions.get_session, hash=hash_)


def note_uses(graph: Graph, uses: Mapping[str, datetime]) -> None:
    """Note the last use of sessions, by hash."""
    rows = [{"name": hash_, "used_at": at} for hash_, at in uses.items()]
    graph.write(sessions.set_used, rows=rows)


def end_session(graph: Graph, hash_: str) -> None:
    """Delete a session."""

    def work(tx: Transaction) -> None:
        sessions.delete_session(tx, hash=hash_)
        _audit(tx, "session.end", hash_)

    graph.write(work)


def end_sessions_of(graph: Graph, user: str) -> int:
    """Delete all sessions of a provider's user, and return their number."""

    def work(tx: Transaction) -> int:
        ended = sessions.delete_of_user(tx, user=user)
        if ended:
            audit(tx, "user.end_sessions", user, before={"sessions": ended})
        return ended

    return graph.write(work)


def delete_ended(graph: Graph, idle: timedelta) -> None:
    """Delete sessions that are over, or were not used for `idle`."""
    graph.write(sessions.delete_ended, idle=idle, now=None)


def hash_session(secret: str) -> str:
    """Return the hash of a session's secret, as the graph keeps it."""
    return sha256(secret.encode()).hexdigest()


def _audit(tx: Transaction, action: str, hash_: str, user: str | None = None) -> None:
    """Record a session under the start of its hash, which is not enough to find its secret."""
    audit(tx, action, hash_[:16], name=user and f"user:{user}")
