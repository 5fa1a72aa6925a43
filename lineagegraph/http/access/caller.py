"""Who made a request, and whether that is enough."""

from starlette.requests import Request

from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import EVERYWHERE, Caller, Role


def caller_of(request: Request) -> Caller:
    """Return who made a request, as the middleware found out."""
    caller: Caller = request.state.caller
    return caller


def signature_of(request: Request) -> str:
    """Return who made a request, as changes are signed."""
    token = caller_of(request).token
    host = request.client.host if request.client else "unknown"
    return f"token {token}" if token else f"HTTP from {host}"


def require(caller: Caller, role: Role, namespace: str) -> None:
    """Raise `RequestRefused` with 403 unless a role covers a namespace."""
    if not caller.may(role, namespace):
        raise RequestRefused(403, lacking(caller, role, namespace))


def lacking(caller: Caller, role: Role, namespace: str) -> str:
    """Return the refusal for a missing role, with its namespace."""
    where = "all namespaces (*)" if namespace == EVERYWHERE else f"namespace {namespace!r}"
    return f"token {caller.token!r} has no role {role.value!r} on {where}"
