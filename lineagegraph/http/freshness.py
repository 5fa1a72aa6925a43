"""The routes of freshness: what is fresh, what is not and why, and the terms of it."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin import freshness as curation
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require, signature_of
from lineagegraph.http.marquez.bodies import body_of, with_body
from lineagegraph.http.marquez.parameters import path_name, read_cut
from lineagegraph.http.marquez.raw_route import RawRoute
from lineagegraph.http.marquez.reads import Reads, answer, page_answer
from lineagegraph.http.refusal import RequestRefused
from lineagegraph.model.access import EVERYWHERE, Caller, Role
from lineagegraph.model.freshness.standing import GRACE, FreshState, Terms
from lineagegraph.model.freshness.terms import Counts, Freshness
from lineagegraph.queries.find.find import NamedNode, find_node
from lineagegraph.queries.freshness.describe import say_terms, say_why
from lineagegraph.queries.freshness.freshness import Standing, read_standings, with_causes
from lineagegraph.queries.freshness.stale_causes import Step
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.settings import Settings


class TermsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """How fresh something is to be; ages are in seconds."""

    max_age: float | None = None
    since: str | None = None
    zone: str | None = None
    counts: Counts | None = None
    grace: float = GRACE

    def terms(self) -> Terms:
        """Return the terms."""
        fresh = Freshness(
            max_age=self.max_age, since=self.since, zone=self.zone, counts=self.counts
        )
        return Terms(freshness=fresh, grace=self.grace)


class _Served(NamedTuple):
    """The graph that is served, and the zone of terms that name none."""

    graph: Graph
    zone: str


def freshness_routes(graph: Graph, settings: Settings) -> list[RawRoute]:
    """Return the routes."""
    served = _Served(graph, settings.zone)
    reads = Reads(graph, settings.inherit_namespace, settings.max_body_bytes)
    path = "/api/v1/freshness"
    one = f"{path}/{{nodeId}}"
    return [
        RawRoute(path, partial(_list, served), methods=["GET"]),
        RawRoute(one, partial(_get, served), methods=["GET"]),
        RawRoute(one, with_body(reads, partial(_put, served)), methods=["PUT"]),
        RawRoute(one, partial(_delete, served), methods=["DELETE"]),
    ]


def _list(served: _Served, request: Request) -> Response:
    asked = request.query_params
    namespace, states = asked.get("namespace"), _states(asked.getlist("state"))
    require(caller_of(request), Role.READ, namespace or EVERYWHERE)
    cut, nodes = read_cut(request), asked.getlist("node")
    keys = [find_node(served.graph, node).key for node in nodes] if nodes else None
    found = [
        one
        for one in read_standings(served.graph, served.zone, keys)
        if one.state in states and namespace in (None, one.about.namespace)
    ]
    part = with_causes(served.graph, served.zone, found[cut.offset : cut.offset + cut.limit])
    shape = partial(_shape, caller_of(request))
    return page_answer("freshness", Page(tuple(part), len(found)), shape)


def _get(served: _Served, request: Request) -> Response:
    return _answer(served, request, _find(served, request, Role.READ))


def _put(served: _Served, request: Request) -> Response:
    found = _find(served, request, Role.OPERATE)
    terms = body_of(request, TermsBody).terms()
    curation.set_terms(served.graph, found.key, terms, by=signature_of(request))
    return _answer(served, request, found)


def _delete(served: _Served, request: Request) -> Response:
    found = _find(served, request, Role.OPERATE)
    curation.unset_terms(served.graph, found.key, found.name)
    return Response(status_code=204)


def _answer(served: _Served, request: Request, found: NamedNode) -> Response:
    standing = read_standings(served.graph, served.zone, [found.key])
    if not standing:
        raise NotFound(f"{found.name} has no terms of freshness")
    (one,) = with_causes(served.graph, served.zone, standing)
    return answer(_shape(caller_of(request), one))


def _find(served: _Served, request: Request, role: Role) -> NamedNode:
    found = find_node(served.graph, path_name(request, "nodeId"))
    require(caller_of(request), role, found.namespace)
    return found


def _states(said: Sequence[str]) -> set[FreshState]:
    try:
        return {FreshState(state.lower()) for state in said} or set(FreshState)
    except ValueError:
        raise RequestRefused(400, f"state is one of {', '.join(FreshState)}", "state") from None


def _shape(caller: Caller, one: Standing) -> dict[str, Any]:
    about, judged, terms = one.about, one.judged, one.about.terms
    fresh = terms.freshness
    # What somebody may not read is to blame for nothing that he can see.
    may_see = all(caller.may(Role.READ, step.namespace) for step in one.path)
    path = one.path if may_see else ()
    return {
        "node": one.node,
        "type": "JOB" if about.is_job else "DATASET",
        "namespace": about.namespace,
        "name": about.name,
        "state": judged.state,
        "ageSeconds": judged.age,
        "lastAt": about.last_at,
        "since": judged.since,
        "until": judged.until,
        "terms": {
            "text": say_terms(terms),
            "maxAge": fresh.max_age,
            "since": fresh.since,
            "zone": fresh.zone,
            "counts": fresh.counts,
            "grace": terms.grace,
            "stated": about.stated,
            "setAt": about.set_at,
            "setBy": about.set_by,
        },
        "why": say_why(one) if may_see else "",
        "cause": _step(path[-1]) if path else None,
        "path": [_step(step) for step in path],
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "node": step.node,
        "state": step.state,
        "since": step.since,
        "runId": step.run_id,
        "runState": step.run_state,
        "runAt": step.run_at,
        "reason": step.reason,
        "message": step.message,
    }
