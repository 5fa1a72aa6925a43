"""The role that a request needs, by its method and path."""

import re
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import EVERYWHERE, Role

OPEN = frozenset(
    {
        "/",
        "/docs",
        "/health",
        "/ready",
        "/api/v1/openapi.json",
        "/login/oidc",
        "/login/oidc/callback",
    }
)
_PAGE_FILES = ("/ui/", "/docs/")  # code and styles, without data
_OWN_SESSION = "/api/v1/session"
_NAMESPACE = re.compile(r"/(?:api/v1|v3)/namespaces/([^/]+)")
_OPERATED = re.compile(
    r"/v3/|/api/v1/(?:backfills|batches|freshness|mutes|pause|pools|sensors|skips|triggers"
    r"|variables)(?:/|$)"
    r"|/api/v1/jobs/runs/[^/]+/(?:rerun|cancel|mark|unmark|acknowledge|annotate)$"
    r"|/api/v1/namespaces/[^/]+/jobs/[^/]+/runs/start$"
)
_AUDIT = "/api/v1/audit"
# Questions of the page that change something need more: their endpoint checks it.
_ASKED_BY_POST = re.compile(r"/v3/.*/(?:next|previous)runtime$|/api/v1/views/")
# Their endpoints check it: they know the event, the run or the query.
_JUDGED_THERE = re.compile(
    r"POST /api/v1/(?:lineage|lineage/batch|jobs/runs/[^/]+/\w+|backfills.*)"
    r"|GET /api/v1/(?:run-states(?:/schema)?|backfills.*|jobs/runs/[^/]+(?:/log|/status)?)"
    r"|GET /api/v1/trends/.+"
    r"|(?:GET|POST|PUT|DELETE) /api/v1/"
    r"(?:batches|skips|freshness|mutes|sensors/waits|triggers)(?:/.*)?"
)
_READING = ("GET", "HEAD", "OPTIONS")


class Need(NamedTuple):
    """A role, and the namespace that it has to cover; None if the endpoint checks it.

    Without a role any caller is enough.
    """

    role: Role | None
    namespace: str | None


def need_of(method: str, path: str) -> Need | None:
    """Return the need of a request, by its path as it was sent; None if it needs no role.

    A path that names no namespace needs its role on all of them.
    """
    if path in OPEN or path.startswith(_PAGE_FILES):
        return None
    if path == _OWN_SESSION:
        return Need(None, None)
    said = f"{'GET' if method in _READING else method} {path}"
    judged = _JUDGED_THERE.fullmatch(said)
    return Need(_role(method, path), None if judged else _namespace(path))


def _role(method: str, path: str) -> Role:
    if path == _AUDIT:
        return Role.ADMIN
    if method in _READING or (method == "POST" and _ASKED_BY_POST.match(path)):
        return Role.READ
    return Role.OPERATE if _OPERATED.match(path) else Role.WRITE


def _namespace(path: str) -> str:
    found = _NAMESPACE.match(path)
    try:
        return unquote_to_bytes(found[1]).decode() if found else EVERYWHERE
    except UnicodeDecodeError:
        raise RequestRefused(400, "namespace in the path is not UTF-8") from None
