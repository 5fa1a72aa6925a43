"""Middleware that refuses requests of foreign web pages, before anything else reads them."""

import re
from collections import Counter
from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from lineagegraph.http.access.hosts import AllowedHosts, HostHeader, read_host
from lineagegraph.http.access.pages import SAFE, foreign_reader, foreign_source
from lineagegraph.http.plumbing.refusal import RequestRefused

# A page can send these to any address without asking the server first.
_FORMS = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")
_MEDIA_TYPE = re.compile(r"\s*([\w!#$&^.+-]+/[\w!#$&^.+-]+)\s*(?:;.*)?", re.ASCII | re.DOTALL)
_SEND_JSON = "send it with the header Content-Type: application/json"


class Guard:
    """Refuses requests by `Host`, by the page that sent them, and by the type of their body.

    `refused` counts refusals by their reason.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: AllowedHosts,
        origins: Collection[str],
        refused: "Counter[str]",
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._origins = origins
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer why not; `state.foreign` names the page of another site."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        try:
            scope.setdefault("state", {})["foreign"] = self._check(scope)
        except RequestRefused as refused:
            return await refused.answer()(scope, receive, send)
        return await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        host = self._host(headers, scope)
        foreign = foreign_source(headers, host, self._origins)
        is_read = scope["method"] in SAFE
        blocked = foreign_reader(headers, host, self._origins) if is_read else foreign
        if blocked:
            self._refused["origin"] += 1
            raise foreign_page(blocked)
        fault = None if is_read else _body_fault(headers)
        if fault:
            self._refused["content_type"] += 1
            raise RequestRefused(415, fault)
        return foreign

    def _host(self, headers: Headers, scope: Scope) -> HostHeader:
        try:
            host = read_host(headers)
            reached = scope.get("server") or ("", None)
            if self._hosts.admit(host.name, reached[0]):
                return host
            raise RequestRefused(
                421,
                f"{host.name!r} is not a name of this server: add it to the setting allowed_hosts "
                "if it is",
            )
        except RequestRefused:
            self._refused["host"] += 1
            raise


def foreign_page(source: str) -> RequestRefused:
    """Return the refusal of a page of another site."""
    return RequestRefused(
        403,
        f"pages of other sites may not do this ({source}): add the page's origin to the setting "
        "allowed_origins if it is yours",
    )


def _body_fault(headers: Headers) -> str | None:
    has_body = "transfer-encoding" in headers or headers.get("content-length", "0").strip("0")
    if not has_body:
        return None
    given = headers.getlist("content-type")
    if not given:
        return f"the body has no content type: {_SEND_JSON}"
    found = _MEDIA_TYPE.fullmatch(given[0])
    if len(given) > 1 or not found or found[1].lower() in _FORMS:
        return f"content type {', '.join(given)[:100]!r} is not accepted: {_SEND_JSON}"
    return None
