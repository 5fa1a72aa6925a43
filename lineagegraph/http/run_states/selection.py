"""The selection of changes by a request, and its position."""

import re
from typing import NamedTuple

from starlette.requests import Request

from lineagegraph.http.access import caller_of, require
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import Caller, Role
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.runs.run_states import RunStateChange, program_run_status

OLDEST, NEWEST = "oldest", "newest"
_WORDS = {state.value for state in RunState} | {
    word for state in RunState if (word := program_run_status(state))
}
_NUMBER = re.compile(r"[0-9]{1,16}", re.ASCII)


class Selection(NamedTuple):
    """The namespaces, jobs and states of changes; an empty set takes all."""

    namespaces: frozenset[str]
    jobs: frozenset[str]
    states: frozenset[str]

    def takes(self, change: RunStateChange, caller: Caller) -> bool:
        """Return whether a change is selected, and the caller may read it."""
        program = change.program
        return (
            caller.may(Role.READ, program.namespace)
            and (not self.namespaces or program.namespace in self.namespaces)
            and (not self.jobs or program.name in self.jobs)
            and (not self.states or bool(self.states & {change.state, change.program_run_status}))
        )


def read_selection(request: Request) -> Selection:
    """Return the selection by `namespace`, `job` and `state`, or raise a refusal with 400."""
    query = request.query_params
    states = frozenset(state.upper() for state in query.getlist("state"))
    if unknown := sorted(states - _WORDS):
        known = ", ".join(sorted(_WORDS))
        raise RequestRefused(400, f"unknown state {unknown[0]}: use {known}", "state")
    for namespace in query.getlist("namespace"):
        require(caller_of(request), Role.READ, namespace)
    return Selection(frozenset(query.getlist("namespace")), frozenset(query.getlist("job")), states)


def read_position(request: Request) -> str | int | None:
    """Return the position to begin after: a number, `oldest`, `newest`, or None by default.

    A client that reconnects sends it as `Last-Event-ID`, and repeats its first query.
    """
    for name, text in (
        ("Last-Event-ID", request.headers.get("Last-Event-ID")),
        ("after", request.query_params.get("after")),
    ):
        if text:
            return _position(name, text)
    return None


def _position(name: str, text: str) -> str | int:
    if _NUMBER.fullmatch(text):
        return int(text)
    if text in (OLDEST, NEWEST):
        return text
    raise RequestRefused(400, f"{name} must be the id of a change, oldest or newest", name)
