"""Callers with the token of one run: events of this run and of runs below it, and their reads."""

import re
import time
from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from lineagegraph.admin.run_tokens import PREFIX
from lineagegraph.admin.tokens import hash_token
from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.http.access.challenges import UNKNOWN, invalid
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import Caller, Role
from lineagegraph.openlineage.objects import get_object, get_parent
from lineagegraph.store.runs.run_tokens import get_run_token, list_known

Event = dict[str, Any]
_FRESH_SECONDS = 2.0
_MOST = 1_000
_LONGEST = 200
_REPORTS = ("/api/v1/lineage", "/api/v1/lineage/batch")
_ONE_RUN = re.compile(r"/api/v1/jobs/runs/([0-9a-fA-F-]{32,36})(?:/facets)?")
_READING = ("GET", "HEAD")


class _Known(NamedTuple):
    caller: Caller
    read_at: float


class RunTokens:
    """Finds the run of a token; one whose run has ended is refused within `_FRESH_SECONDS`.

    While Neo4j is away tokens that were used before stay valid.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._lock = Lock()
        self._known: dict[str, _Known] = {}

    @staticmethod
    def is_one(token: bytes) -> bool:
        """Return whether a token is that of a run, by its prefix."""
        return token.startswith(PREFIX.encode()) and len(token) <= _LONGEST

    def knows(self, token: bytes) -> bool:
        """Return whether a token was right when it was used last."""
        return hash_token(token) in self._known

    def find(self, token: bytes) -> Caller:
        """Return the caller of a token; raise `RequestRefused` with 401 if its run has ended."""
        hash_ = hash_token(token)
        with self._lock:
            known = self._known.get(hash_)
        if known and time.monotonic() - known.read_at < _FRESH_SECONDS:
            return known.caller
        try:
            row = self._graph.read(get_run_token, hash=hash_, now=None)
        except GraphError:
            if known is None:
                raise
            with self._lock:
                self._known[hash_] = known._replace(read_at=time.monotonic())
            return known.caller
        with self._lock:
            self._known.pop(hash_, None)
            if row is None:
                raise invalid(UNKNOWN)
            if len(self._known) >= _MOST:
                self._known.clear()
            covers = dict.fromkeys(Role, frozenset[str]()) | {
                Role.WRITE: frozenset({row.namespace})
            }
            caller = Caller(f"run {row.run_id}", covers, run=row.run_id)
            self._known[hash_] = _Known(caller, time.monotonic())
            return caller

    def check(self, caller: Caller, method: str, path: str) -> None:
        """Raise `RequestRefused` with 403 unless a run's token allows a request."""
        if method == "POST" and path in _REPORTS:
            return  # the endpoint judges each event by `refuse_outside`
        found = _ONE_RUN.fullmatch(path) if method in _READING else None
        if found is None or not self._is_inside(caller, found[1]):
            raise RequestRefused(
                403,
                f"the token of {caller.token} may send events of this run and read it; this "
                "request needs a token of `lineagegraph token add`",
            )

    def _is_inside(self, caller: Caller, id_: str) -> bool:
        try:
            ids = [str(UUID(id_))]
        except ValueError:
            return False
        assert caller.run is not None
        rows = self._graph.read(list_known, ids=ids, run_id=caller.run)
        return any(row.is_inside for row in rows)


def refuse_outside(
    graph: Graph, caller: Caller, events: Sequence[Event]
) -> list[RequestRefused | None]:
    """Return for each valid event the refusal, unless it is of the caller's run or below it.

    A run that is not known yet is below it if its parent is, or if its parent is not known either
    and names the caller's run as the root of both. The root that it names is of the same tree.
    """
    assert caller.run is not None
    ids = {id_ for event in events for id_ in (_run_id(event), _parent_id(event), _root_id(event))}
    known = graph.read(list_known, ids=sorted(ids - {""}), run_id=caller.run)
    inside = {row.id: row.is_inside for row in known}
    others = {row.id for row in known if not (row.is_inside or row.may_be_above)}
    return [_judge(caller, event, inside, others) for event in events]


def _judge(
    caller: Caller, event: Event, inside: dict[str, bool], others: set[str]
) -> RequestRefused | None:
    fault = _fault(caller, event, inside)
    if not fault and _root_id(event) in others:
        fault = "covers this run and those below it, and the root of the event is of another"
    return RequestRefused(403, f"the token of {caller.token} {fault}") if fault else None


def _fault(caller: Caller, event: Event, inside: dict[str, bool]) -> str | None:
    run_id, parent_id = _run_id(event), _parent_id(event)
    if not run_id:
        return "covers events of runs, not of jobs or datasets without a run"
    namespace = event["job"]["namespace"]
    if not caller.may(Role.WRITE, namespace):
        (own,) = caller.covers[Role.WRITE]
        return f"covers jobs of namespace {own!r}, not of {namespace!r}"
    if not inside.get(run_id, True) or (parent_id and not inside.get(parent_id, True)):
        return "covers this run and those below it, and the event is of another"
    if run_id in inside or parent_id in inside or _root_id(event) == caller.run:
        return None
    return "covers runs below it: name one of them as the parent, as in OPENLINEAGE_PARENT_ID"


def _run_id(event: Event) -> str:
    return _uuid(get_object(event, "run").get("runId"))


def _parent_id(event: Event) -> str:
    return _run_id(get_parent(event))


def _root_id(event: Event) -> str:
    return _run_id(get_object(get_parent(event), "root"))


def _uuid(text: object) -> str:
    """Return an id as the graph has it; empty for none."""
    try:
        return str(UUID(text)) if isinstance(text, str) else ""
    except ValueError:
        return ""
