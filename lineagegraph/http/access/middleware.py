"""Middleware that gives each request its caller, or refuses it."""

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from lineagegraph.errors import GraphError
from lineagegraph.http.access.caller import lacking, require
from lineagegraph.http.access.known_tokens import KnownTokens
from lineagegraph.http.access.needs import Need, need_of
from lineagegraph.http.access.run_tokens import RunTokens
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import ANYBODY, EVERYWHERE, Caller

_SAFE = ("GET", "HEAD", "OPTIONS")
_OWN_PAGES = ("none", "same-origin")
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="lineagegraph"'}
_CHALLENGE_AGAIN = {"WWW-Authenticate": 'Bearer realm="lineagegraph", error="invalid_token"'}


class Access:
    """Finds the caller of each request, and checks the role that its path needs.

    With `is_open`, as on loopback, a request without a token may do everything.
    """

    def __init__(self, app: ASGIApp, tokens: KnownTokens, runs: RunTokens, is_open: bool) -> None:
        self._app = app
        self._tokens = tokens
        self._runs = runs
        self._is_open = is_open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with `state.caller`, or answer why not."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        try:
            caller = await self._admit(scope)
        except RequestRefused as refused:
            return await refused.answer()(scope, receive, send)
        scope.setdefault("state", {})["caller"] = caller
        return await self._app(scope, receive, send)

    async def _admit(self, scope: Scope) -> Caller:
        need = need_of(scope["method"], scope["raw_path"].decode("latin-1"))
        if need is None:
            return ANYBODY
        caller = await self._find(scope)
        if caller.run is None:
            _check(caller, need)
        else:
            await self._check_run(caller, scope)
        return caller

    async def _check_run(self, caller: Caller, scope: Scope) -> None:
        path = scope["raw_path"].decode("latin-1")
        try:
            await run_in_threadpool(self._runs.check, caller, scope["method"], path)
        except GraphError as error:
            raise RequestRefused(503, str(error), retry_after=5) from None

    async def _find(self, scope: Scope) -> Caller:
        headers = Headers(scope=scope)
        given = headers.getlist("authorization")
        if not given:
            return self._without_token(scope["method"], headers)
        scheme, _, token = given[0].partition(" ")
        found = None
        if scheme.lower() == "bearer" and len(given) == 1:
            found = await self._look_up(token.strip().encode("latin-1"))
        if found is None:
            raise RequestRefused(401, "unknown or revoked token", headers=_CHALLENGE_AGAIN)
        return found

    async def _look_up(self, token: bytes) -> Caller | None:
        try:
            if self._runs.is_one(token):
                return await run_in_threadpool(self._runs.find, token)
            if self._tokens.are_fresh():
                return self._tokens.find(token)
            return await run_in_threadpool(self._tokens.find, token)
        except GraphError as error:
            raise RequestRefused(503, str(error), retry_after=5) from None

    def _without_token(self, method: str, headers: Headers) -> Caller:
        if not self._is_open:
            said = "no token: send one in the header, as Authorization: Bearer TOKEN"
            raise RequestRefused(401, said, headers=_CHALLENGE)
        # A page of any site can make its reader's browser send requests to loopback.
        if method not in _SAFE and headers.get("sec-fetch-site", "none") not in _OWN_PAGES:
            raise RequestRefused(403, "requests from pages of other sites need a token")
        return ANYBODY


def _check(caller: Caller, need: Need) -> None:
    if need.namespace is not None:
        require(caller, need.role, need.namespace)
    elif not caller.covers[need.role]:
        raise RequestRefused(403, lacking(caller, need.role, EVERYWHERE))
