"""The caller of a request, by its token, a provider's token, or the cookie of a session."""

import hmac
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import NamedTuple, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import Scope

from lineagegraph.admin.sessions import User
from lineagegraph.admin.tokens import hash_token
from lineagegraph.errors import GraphError
from lineagegraph.http.access.caller import peer_of
from lineagegraph.http.access.challenges import UNKNOWN, invalid
from lineagegraph.http.access.known_sessions import BrowserSession, KnownSessions, csrf_token
from lineagegraph.http.access.known_tokens import KnownTokens
from lineagegraph.http.access.oidc.claims import ClaimsRefused
from lineagegraph.http.access.oidc.login import Login
from lineagegraph.http.access.oidc.provider import ProviderAway
from lineagegraph.http.access.run_tokens import RunTokens
from lineagegraph.http.access.wrong_secrets import WrongSecrets
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import Caller

_SAFE = ("GET", "HEAD", "OPTIONS")
_CSRF = "x-csrf-token"
# Lookups of addresses that sent many wrong secrets; more are refused.
_MOST_WAITING = 20
_T = TypeVar("_T")


class Identity(NamedTuple):
    """A caller, and what it was found by."""

    caller: Caller
    again: Callable[[], Caller]
    token: bytes | None = None
    session: BrowserSession | None = None
    user: User | None = None
    until: datetime | None = None


class Credentials:
    """Finds the callers of requests."""

    def __init__(
        self, tokens: KnownTokens, runs: RunTokens, sessions: KnownSessions, login: Login | None
    ) -> None:
        self.tokens = tokens
        self.runs = runs
        self.sessions = sessions
        self.login = login
        self.wrong = WrongSecrets()
        self._slow = CapacityLimiter(1)

    async def find(self, scope: Scope) -> Identity | None:
        """Return who sends a request; None without any token or session that is known here.

        Raise `RequestRefused` for a token that does not count, and for a change by a session
        without its `X-CSRF-Token`.
        """
        try:
            found = await self._find(Request(scope))
            if found is None or (found.caller.user is None and found.caller.run is None):
                return found
            owned = await run_in_threadpool(self.tokens.owned)
            return found._replace(caller=found.caller._replace(owned=owned))
        except GraphError as error:
            raise RequestRefused(503, str(error), retry_after=5) from None

    async def check_run(self, caller: Caller, scope: Scope) -> None:
        """Raise `RequestRefused` unless the token of a run allows a request."""
        path = scope["raw_path"].decode("latin-1")
        try:
            await run_in_threadpool(self.runs.check, caller, scope["method"], path)
        except GraphError as error:
            raise RequestRefused(503, str(error), retry_after=5) from None

    async def _find(self, request: Request) -> Identity | None:
        given = request.headers.getlist("authorization")
        if given:
            scheme, _, token = given[0].partition(" ")
            if scheme.lower() != "bearer" or len(given) > 1:
                raise invalid(UNKNOWN)
            return await self._bearer(token.strip().encode("latin-1"), peer_of(request))
        cookie = request.cookies.get(session_cookie(request))
        if not cookie:
            return None
        find = partial(self.sessions.find, cookie)
        is_known = self.sessions.knows(cookie)
        session = await self._look_up(find, is_known, cookie.encode(), peer_of(request))
        if request.method not in _SAFE:
            sent = request.headers.get(_CSRF, "").encode()
            if not hmac.compare_digest(sent, csrf_token(cookie).encode()):
                raise RequestRefused(
                    403, "changes of a session need its csrfToken in the header X-CSRF-Token"
                )
        again = partial(self._session_again, cookie)
        return Identity(session.caller, again, session=session)

    async def _look_up(
        self, find: Callable[[], _T], is_known: bool, secret: bytes, peer: str
    ) -> _T:
        """Return the owner of a secret; after many wrong ones they are looked up one by one.

        Raises `RequestRefused` with 429 if too many wait for that.
        """
        hash_ = hash_token(secret)
        lane = None if is_known or self.wrong.is_quick(hash_, peer) else self._slow
        if lane and lane.statistics().tasks_waiting >= _MOST_WAITING:
            raise RequestRefused(429, f"too many wrong tokens from {peer}", retry_after=1)
        try:
            return await to_thread.run_sync(find, limiter=lane)
        except RequestRefused as refused:
            if refused.status == 401:
                self.wrong.note(hash_, peer, refused)
            raise

    async def _bearer(self, token: bytes, peer: str) -> Identity:
        if self.login is not None and token.count(b".") == 2:
            return await run_in_threadpool(self._user, token)
        if self.runs.is_one(token):
            again = partial(self.runs.find, token)
            caller = await self._look_up(again, self.runs.knows(token), token, peer)
            return Identity(caller, again, token=token)
        if self.tokens.are_fresh():
            caller = self.tokens.find(token)
        else:
            caller = await run_in_threadpool(self.tokens.find, token)
        return Identity(caller, partial(self.tokens.find, token), token=token)

    def _user(self, token: bytes) -> Identity:
        assert self.login is not None
        try:
            user, until = self.login.admit(token)
        except ClaimsRefused as error:
            raise invalid(str(error), str(error).replace('"', "'")) from None
        except ProviderAway as error:
            raise RequestRefused(503, str(error), retry_after=5) from None
        caller = self.login.caller_of(user.name, user.groups)
        again = partial(self._user_again, token)
        return Identity(caller, again, token=token, user=user, until=until)

    def _user_again(self, token: bytes) -> Caller:
        return self._user(token).caller

    def _session_again(self, cookie: str) -> Caller:
        return self.sessions.find(cookie).caller


def session_cookie(request: Request) -> str:
    """Return the name of a session's cookie: over TLS only this host can have set it."""
    return cookie_name(request, "session")


def cookie_name(request: Request, of: str) -> str:
    """Return the name of a cookie of the server."""
    prefix = "__Host-" if is_over_tls(request) else ""
    return f"{prefix}lineagegraph_{of}"


def is_over_tls(request: Request) -> bool:
    """Return whether a request came over TLS."""
    # To build the `url` of each request would take longer than all else that finds its caller.
    return bool(request.scope["scheme"] == "https")
