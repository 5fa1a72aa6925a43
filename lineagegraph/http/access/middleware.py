"""Middleware that gives each request its caller, or refuses it."""

from contextlib import suppress
from functools import partial
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from lineagegraph.http.access.caller import lacking, require
from lineagegraph.http.access.challenges import no_token, no_token_behind
from lineagegraph.http.access.credentials import Credentials, Identity
from lineagegraph.http.access.needs import Need, need_of
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import ANYBODY, EVERYWHERE, Caller
from lineagegraph.model.actor import Actor, acting_as

_OPEN = Identity(ANYBODY, lambda: ANYBODY)
# Proxies add these: who sent the request may be anywhere, though it comes from this machine.
_OF_PROXIES = (
    "Forwarded",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Real-IP",
    "Via",
)


class Access:
    """Finds the caller of each request, and checks the role that its path needs.

    With `is_open`, as on loopback, a request without a token may do everything, unless a proxy
    passed it on.
    """

    def __init__(self, app: ASGIApp, credentials: Credentials, is_open: bool) -> None:
        self._app = app
        self._credentials = credentials
        self._is_open = is_open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with `state.caller`, or answer why not."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        try:
            identity = await self._admit(scope)
        except RequestRefused as refused:
            return await refused.answer()(scope, receive, send)
        state = scope.setdefault("state", {})
        state["caller"], state["identity"] = identity.caller, identity
        state["find_again"] = partial(_find_again, identity)
        with acting_as(Actor(self._name(identity.caller), _address(scope))):
            return await self._app(scope, receive, send)

    def _name(self, caller: Caller) -> str:
        """Return the sender of a request, as the audit log names it."""
        if caller.user:
            return f"user:{caller.user}"
        if caller.token:
            return f"token:{caller.token}"
        return "loopback" if self._is_open else "anonymous"

    async def _admit(self, scope: Scope) -> Identity:
        need = need_of(scope["method"], scope["raw_path"].decode("latin-1"))
        if need is None:
            return _OPEN
        identity = await self._find(scope)
        if identity.caller.run is None:
            _check(identity.caller, need)
        else:
            await self._credentials.check_run(identity.caller, scope)
        return identity

    async def _find(self, scope: Scope) -> Identity:
        headers = Headers(scope=scope)
        proxied = next((name for name in _OF_PROXIES if name in headers), None)
        is_open = self._is_open and proxied is None
        try:
            found = await self._credentials.find(scope)
        except RequestRefused as refused:
            # On loopback a browser may send the cookie of a server that was here before.
            if refused.status != 401 or "authorization" in headers or not is_open:
                raise
            found = None
        if found is None and not is_open:
            raise no_token_behind(proxied) if self._is_open and proxied else no_token()
        return found or _OPEN


def _address(scope: Scope) -> str | None:
    """Return the address of the sender; a proxy on this machine may pass on any text as one."""
    with suppress(TypeError, ValueError):
        return str(ip_address(scope["client"][0]))
    return None


def _find_again(identity: Identity) -> Caller | None:
    """Return the caller with its rights of now; None if the token or session is over."""
    with suppress(RequestRefused):
        return identity.again()
    return None


def _check(caller: Caller, need: Need) -> None:
    if need.role is None:
        return
    if need.namespace is not None:
        require(caller, need.role, need.namespace)
    elif not caller.covers[need.role]:
        raise RequestRefused(403, lacking(caller, need.role, EVERYWHERE))
