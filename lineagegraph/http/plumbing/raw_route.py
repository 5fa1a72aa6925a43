"""Routes that match paths before percent-decoding and know the parameters of their queries."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from inspect import iscoroutinefunction
from typing import Any
from urllib.parse import unquote

from starlette.requests import Request
from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send

from lineagegraph.http.plumbing.answer_threads import answer_in_thread
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.names.nearest import find_nearest


class RawRoute(Route):
    """A route that is matched before percent-decoding: `%2F` stays in its parameter.

    `known` has the parameters in the query by method: others get 400. A method without an entry
    takes any.
    """

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        *,
        methods: Sequence[str],
        known: Mapping[str, Collection[str]],
    ) -> None:
        work = endpoint.func if isinstance(endpoint, partial) else endpoint
        if not iscoroutinefunction(work):
            endpoint = partial(answer_in_thread, endpoint)
        super().__init__(path, endpoint, methods=list(methods))
        self._known = known

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match the path as it was sent."""
        if scope["type"] != "http":
            return Match.NONE, {}
        return super().matches({**scope, "path": scope["raw_path"].decode("latin-1")})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, unless its query has an unknown parameter."""
        known = self._known.get("GET" if scope["method"] == "HEAD" else scope["method"])
        if known is not None:
            check_query(Request(scope), known)
        await super().handle(scope, receive, send)


def path_text(request: Request, name: str) -> str:
    """Return a parameter of a `RawRoute` decoded."""
    try:
        return unquote(request.path_params[name], errors="strict")
    except UnicodeDecodeError:
        raise RequestRefused(400, f"{name} in the path is not UTF-8") from None


def check_query(request: Request, known: Collection[str]) -> None:
    """Raise a refusal with 400 if the query has a parameter that is not known."""
    for name in request.query_params:
        if name not in known:
            near = find_nearest(name, known)
            hint = f" (did you mean {near}?)" if near else ""
            names = f"known are {', '.join(known)}" if known else "there are none here"
            raise RequestRefused(400, f"unknown parameter {name!r}{hint}: {names}", name)
