"""The right to read or change one run, by its id."""

from starlette.requests import Request

from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.model.access import Role


def require_on_run(request: Request, role: Role, namespace: str) -> None:
    """Raise `RequestRefused` with 403 unless a role covers the namespace of a run.

    The token of a run has no roles: which runs it covers was checked before.
    """
    caller = caller_of(request)
    if caller.run is None:
        require(caller, role, namespace)
