"""The sessions of browsers, read from the graph every few seconds while they are used."""

import hmac
import time
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from lineagegraph.admin import sessions
from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.http.access.challenges import ENDED, invalid
from lineagegraph.http.access.known_tokens import KnownTokens
from lineagegraph.http.access.last_uses import LastUses
from lineagegraph.http.access.oidc.login import Login
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import Caller
from lineagegraph.settings import Settings
from lineagegraph.store.admin.sessions import SessionRow

_FRESH_SECONDS = 2.0
_MOST = 10_000
_LONGEST = 200


class BrowserSession(NamedTuple):
    """A session in use, and the end that it has however it is used."""

    hash: str
    caller: Caller
    ends_at: datetime


class _Kept(NamedTuple):
    row: SessionRow
    read_at: float
    used_at: datetime


class KnownSessions:
    """Finds the session of a cookie; one that ended elsewhere is forgotten within seconds."""

    def __init__(
        self,
        graph: Graph,
        settings: Settings,
        tokens: KnownTokens,
        login: Login | None,
        uses: LastUses,
    ) -> None:
        self._graph = graph
        self._idle = settings.session_idle
        self._lifetime = settings.session_lifetime
        self._tokens = tokens
        self._login = login
        self._uses = uses
        self._kept: dict[str, _Kept] = {}

    def add(
        self,
        *,
        token: bytes | None = None,
        user: sessions.User | None = None,
        until: datetime | None = None,
    ) -> tuple[str, BrowserSession]:
        """Store a session of a token or a user; return its cookie and the session.

        It ends at `until`, if that is before its lifetime is over.
        """
        secret, row = sessions.add_session(
            self._graph, self._lifetime, token=token, user=user, until=until
        )
        return secret, self._use(row, row.used_at, time.monotonic())

    def find(self, cookie: str) -> BrowserSession:
        """Return the session of a cookie; raise `RequestRefused` if it is over or unknown."""
        if not 0 < len(cookie) <= _LONGEST:
            raise invalid(ENDED)
        hash_ = sessions.hash_session(cookie)
        kept = self._kept.get(hash_)
        if kept is None or time.monotonic() - kept.read_at >= _FRESH_SECONDS:
            kept = self._read(hash_, kept)
        return self._use(kept.row, kept.used_at, kept.read_at)

    def knows(self, cookie: str) -> bool:
        """Return whether a cookie was right when it was used last."""
        return len(cookie) <= _LONGEST and sessions.hash_session(cookie) in self._kept

    def end(self, hash_: str) -> None:
        """Delete a session: other servers refuse it within seconds."""
        sessions.end_session(self._graph, hash_)
        self._kept.pop(hash_, None)

    def _read(self, hash_: str, kept: _Kept | None) -> _Kept:
        try:
            row = sessions.get_session(self._graph, hash_)
        except GraphError:
            if kept is None:
                raise
            return kept._replace(read_at=time.monotonic())
        if row is None:
            self._kept.pop(hash_, None)
            raise invalid(ENDED)
        used_at = max(row.used_at, kept.used_at) if kept else row.used_at
        return _Kept(row, time.monotonic(), used_at)

    def _use(self, row: SessionRow, used_at: datetime, read_at: float) -> BrowserSession:
        now = datetime.now(UTC)
        if row.last_at <= now or used_at + self._idle <= now:
            self._kept.pop(row.hash, None)
            raise invalid(ENDED)
        try:
            caller = self._caller(row)
        except RequestRefused:
            self._kept.pop(row.hash, None)
            raise
        session = BrowserSession(row.hash, caller, row.last_at)
        if len(self._kept) >= _MOST:
            self._kept.clear()
        self._kept[row.hash] = _Kept(row, read_at, max(now, used_at))
        self._uses.note_session(row.hash)
        return session

    def _caller(self, row: SessionRow) -> Caller:
        """Return the caller with the rights that its token or its groups have now."""
        if row.token_hash is not None:
            return self._tokens.find_hash(row.token_hash)
        if self._login is None or self._login.issuer != row.issuer or row.user is None:
            raise invalid(ENDED)
        return self._login.caller_of(row.user, row.groups)


def csrf_token(cookie: str) -> str:
    """Return what a page has to send with changes: other sites' pages cannot read it."""
    return hmac.new(cookie.encode(), b"lineagegraph csrf", sha256).hexdigest()
