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
    caller = caller_of(request)
    if caller.user:
        return f"user {caller.user}"
    return f"token {caller.token}" if caller.token else f"HTTP from {peer_of(request)}"


def peer_of(request: Request) -> str:
    """Return the address that a request came from."""
    return request.client.host if request.client else "unknown"


def require(caller: Caller, role: Role, namespace: str) -> None:
    """Raise `RequestRefused` with 403 unless a role covers a namespace."""
    if not caller.may(role, namespace):
        raise RequestRefused(403, lacking(caller, role, namespace))


def lacking(caller: Caller, role: Role, namespace: str) -> str:
    """Return the refusal for a missing role, with its namespace."""
    where = "all namespaces (*)" if namespace == EVERYWHERE else f"namespace {namespace!r}"
    who = f"user {caller.user!r}" if caller.user else f"token named {caller.token!r}"
    return f"{who} has no role {role.value!r} on {where}"
