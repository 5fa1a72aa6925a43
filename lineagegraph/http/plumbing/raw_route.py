"""Routes whose parameters may hold anything, slashes included, if it is percent-encoded."""

from urllib.parse import unquote

from starlette.requests import Request
from starlette.routing import Match, Route
from starlette.types import Scope

from lineagegraph.http.plumbing.refusal import RequestRefused


class RawRoute(Route):
    """A route that is matched before percent-decoding: `%2F` stays in its parameter."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match the path as it was sent."""
        if scope["type"] != "http":
            return Match.NONE, {}
        return super().matches({**scope, "path": scope["raw_path"].decode("latin-1")})


def path_text(request: Request, name: str) -> str:
    """Return a parameter of a `RawRoute` decoded."""
    try:
        return unquote(request.path_params[name], errors="strict")
    except UnicodeDecodeError:
        raise RequestRefused(400, f"{name} in the path is not UTF-8") from None
