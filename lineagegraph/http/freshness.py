"""The routes of freshness: how fresh jobs and datasets are, and the terms that they keep."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin import freshness as curation
from lineagegraph.admin.source_sensor import SOURCE_INTERVAL, SourceSensor, source_sensor
from lineagegraph.errors import InvalidSensor, NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require, signature_of
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about, answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    NOT_FOUND,
    ApiParameter,
    Body,
    Reply,
    delete,
    get,
    in_path,
    listing,
    put,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer, page_answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import EVERYWHERE, Caller, Role
from lineagegraph.model.freshness.describe import describe_terms
from lineagegraph.model.freshness.standing import GRACE, MOST_EXPECTED, FreshState, Terms
from lineagegraph.model.freshness.terms import Counts, Freshness
from lineagegraph.model.waits import LONGEST, SHORTEST_POKE
from lineagegraph.queries.find.find import NamedNode, find_node
from lineagegraph.queries.freshness.freshness import (
    Standing,
    describe_staleness,
    read_standings,
    with_causes,
)
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.sensors import confined_fields
from lineagegraph.settings import Settings


class SourceSensorBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A sensor that answers when data was last new, for data that nothing reports."""

    kind: Annotated[str, about("Kind of the sensor: sql, or a kind of your own.")]
    fields: Annotated[
        dict[str, Any], about("The poke fields of the kind; of sql the first value is the time.")
    ] = {}
    name: Annotated[
        str | None, about("Name for people; the kind otherwise.", minLength=1, maxLength=200)
    ] = None
    poke_interval: Annotated[
        float, about("Seconds between two pokes.", minimum=SHORTEST_POKE, maximum=LONGEST)
    ] = SOURCE_INTERVAL

    def source(self, *, confined: bool) -> SourceSensor:
        """Return the sensor; raise `InvalidSensor` for one that requests may not name.

        With `confined`, as for a token, the settings must name what it pokes.
        """
        fields = confined_fields(self.kind, self.fields) if confined else self.fields
        source = source_sensor(self.kind, fields, name=self.name, poke_interval=self.poke_interval)
        if source.sensor.code_only:
            raise InvalidSensor(
                f"kind {self.kind} runs code, which a request must not contain: set it with "
                "`lineagegraph freshness set`"
            )
        return source


class TermsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """maxAge, since, or both."""

    max_age: Annotated[float | None, about("Seconds.", exclusiveMinimum=0)] = None
    since: Annotated[
        str | None, about("day, hour or a cron expression: its last point counts.")
    ] = None
    zone: Annotated[str | None, about("Zone of since; the installation's otherwise.")] = None
    counts: Annotated[Counts | None, about("Of a job's run: its end, or the end of its data.")] = (
        None
    )
    grace: Annotated[
        float, about("Seconds for which lapsed data is due before it is stale.", minimum=0)
    ] = GRACE
    per: Annotated[
        str | None, about("Partition key whose values are judged one by one.", minLength=1)
    ] = None
    expected: Annotated[
        list[str], about("Values of that key that must appear.", maxItems=MOST_EXPECTED)
    ] = []
    sensor: Annotated[
        SourceSensorBody | None,
        about("Sensor that answers when it was last new; writes count if null."),
    ] = None

    def terms(self) -> Terms:
        """Return the terms."""
        fresh = Freshness(
            max_age=self.max_age, since=self.since, zone=self.zone, counts=self.counts
        )
        expected = tuple(self.expected)
        return Terms(freshness=fresh, grace=self.grace, per=self.per, expected=expected)


class TermsSensorAnswer(AnswerStruct):
    """The sensor that answers when data was last new."""

    id: Annotated[str, about("Id of the sensor.")]
    name: Annotated[str, about("Name for people.")]
    poke_interval: Annotated[float, about("Seconds between two pokes.")]
    poked_at: Annotated[Timestamp | None, about("Start of its last poke; null before the first.")]
    error: Annotated[str | None, about("Error of that poke; null if it answered.")]
    failing_since: Annotated[
        Timestamp | None, about("Start of the first poke without an answer; null if it answers.")
    ]


class FreshnessTermsAnswer(AnswerStruct):
    """Terms of freshness."""

    text: Annotated[str, about("In words.")]
    max_age: Annotated[
        float | None, about("Seconds that a success stays fresh; null for no such limit.")
    ]
    since: Annotated[str | None, about("day, hour or a cron expression; null for no such limit.")]
    zone: Annotated[str | None, about("Time zone of since; null for the installation's.")]
    counts: Annotated[Counts | None, about("Time of a success that counts; null for its end.")]
    grace: Annotated[float, about("Seconds for which lapsed data is due before it is stale.")]
    per: Annotated[
        str | None, about("Partition key whose values are judged one by one; null for none.")
    ]
    expected: Annotated[list[str], about("Values of that key that must appear.")]
    sensor: Annotated[
        TermsSensorAnswer | None, about("Sensor that answers for it; null if writes count.")
    ]
    stated: Annotated[bool, about("Its definition states them.")]
    set_at: Annotated[Timestamp, about("Time at which the terms were set.")]
    set_by: Annotated[str | None, about("Caller who set them; null for stated ones.")]


class FreshnessStepAnswer(AnswerStruct):
    """A job or dataset on the way to the cause."""

    node: Annotated[str, about("Node id: job:NAMESPACE:NAME or dataset:NAMESPACE:NAME.")]
    state: Annotated[FreshState | None, about("By its terms, if it has any.")]
    since: Annotated[Timestamp | None, about("Start of that state; null without one.")]
    run_id: Annotated[
        str | None, about("Latest run of a job; null without one, and for a dataset.")
    ]
    run_state: Annotated[str | None, about("State of a job's latest run.")]
    run_at: Annotated[
        Timestamp | None, about("End of that run, or its last change of state; null without one.")
    ]
    reason: Annotated[
        str | None, about("Reason of the run's state, such as LOST; null without one.")
    ]
    message: Annotated[
        str | None, about("Explanation of the run's state, or its error; null without one.")
    ]


class FreshnessPartAnswer(AnswerStruct):
    """How fresh one value of the terms' partition key is."""

    part: Annotated[str, about("Value of the partition key.")]
    state: Annotated[FreshState, about("As for a node.")]
    age_seconds: Annotated[
        float | None, about("Seconds since its latest success or write; null without one.")
    ]
    last_at: Annotated[Timestamp | None, about("Its latest success, or when it was last written.")]
    since: Annotated[Timestamp | None, about("Since when it is in this state.")]
    until: Annotated[Timestamp | None, about("Until when, if nothing happens.")]


class FreshnessAnswer(AnswerStruct):
    """How fresh a job or dataset is, and why."""

    node: Annotated[str, about("Node id: job:NAMESPACE:NAME or dataset:NAMESPACE:NAME.")]
    type: Annotated[Literal["JOB", "DATASET"], about("Kind of the node.")]
    namespace: Annotated[str, about("Namespace of the job or dataset.")]
    name: Annotated[str, about("Full name of the job, or name of the dataset.")]
    state: Annotated[
        FreshState, about("fresh; due within the grace; stale after it; unknown without a success.")
    ]
    age_seconds: Annotated[
        float | None, about("Seconds since the latest success or write; null without one.")
    ]
    last_at: Annotated[Timestamp | None, about("Its latest success, or when it was last written.")]
    since: Annotated[Timestamp | None, about("Since when it is in this state.")]
    until: Annotated[Timestamp | None, about("Until when, if nothing happens.")]
    terms: Annotated[FreshnessTermsAnswer, about("Terms by which it is judged.")]
    why: Annotated[str, about("In one line; empty for fresh data.")]
    cause: Annotated[
        FreshnessStepAnswer | None, about("Last step of the path; null without a path.")
    ]
    path: Annotated[list[FreshnessStepAnswer], about("From it upstream to the cause.")]
    parts: Annotated[
        list[FreshnessPartAnswer],
        about("Each value of the terms' partition key, worst first; the node is like the worst."),
    ]


_ALL = "/api/v1/freshness"
_ONE = f"{_ALL}/{{nodeId}}"
_NODE = in_path(
    "nodeId",
    Annotated[str, msgspec.Meta(min_length=1, max_length=2000)],
    "job:default:daily",
    "job:NAMESPACE:NAME, dataset:NAMESPACE:NAME, or a name that only one has.",
)
OPERATIONS = tagged(
    "freshness",
    get(
        _ALL,
        "getFreshness",
        "How fresh the jobs and datasets are that have terms of freshness.",
        listing(
            "freshness",
            FreshnessAnswer,
            "Jobs and datasets by node id, with the cause for each that is not fresh.",
        ),
        ApiParameter("state", list[FreshState], ["stale"], "Only these states; may be repeated."),
        ApiParameter("namespace", str, "default", "Only this namespace."),
        ApiParameter(
            "node", list[str], ["job:default:daily"], "Only this job or dataset; may be repeated."
        ),
        also=(NOT_FOUND,),
    ),
    get(
        _ONE,
        "getFreshnessOf",
        "How fresh a job or dataset is, and the path to the cause.",
        Reply("The job or dataset.", FreshnessAnswer),
        _NODE,
    ),
    put(
        _ONE,
        "putFreshnessTerms",
        "Set how fresh a job or dataset has to be.",
        Reply("The job or dataset by these terms.", FreshnessAnswer),
        _NODE,
        body=Body(TermsBody, {"maxAge": 86400, "grace": 1800}),
    ),
    delete(
        _ONE,
        "deleteFreshnessTerms",
        "Remove terms that were set; those of its definition hold again.",
        Reply("They are removed.", status=204),
        _NODE,
    ),
)


class _Served(NamedTuple):
    """The graph that is served, and the zone of terms that name none."""

    graph: Graph
    zone: str


def freshness_routes(graph: Graph, settings: Settings) -> list[RawRoute]:
    """Return the routes."""
    served = _Served(graph, settings.zone)
    endpoints = {
        "getFreshness": partial(_list, served),
        "getFreshnessOf": partial(_get, served),
        "putFreshnessTerms": partial(_put, served),
        "deleteFreshnessTerms": partial(_delete, served),
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


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
    shape = partial(_standing, caller_of(request))
    return page_answer("freshness", Page(tuple(part), len(found)), shape)


def _get(served: _Served, request: Request) -> Response:
    return _answer(served, request, _find(served, request, Role.READ))


def _put(served: _Served, request: Request) -> Response:
    found = _find(served, request, Role.OPERATE)
    body = body_of(request, TermsBody)
    confined = caller_of(request).is_confined
    source = body.sensor.source(confined=confined) if body.sensor else None
    by = signature_of(request)
    curation.set_terms(served.graph, found.key, body.terms(), source=source, by=by)
    return _answer(served, request, found)


def _delete(served: _Served, request: Request) -> Response:
    found = _find(served, request, Role.OPERATE)
    curation.unset_terms(served.graph, found.key, found.name)
    return Response(status_code=204)


def _answer(served: _Served, request: Request, found: NamedNode) -> Response:
    standing = read_standings(served.graph, served.zone, [found.key])
    if not standing:
        raise NotFound(f"{found.name} has no freshness terms")
    (one,) = with_causes(served.graph, served.zone, standing)
    return answer(_standing(caller_of(request), one))


def _find(served: _Served, request: Request, role: Role) -> NamedNode:
    found = find_node(served.graph, path_name(request, "nodeId"))
    require(caller_of(request), role, found.namespace)
    return found


def _states(given: Sequence[str]) -> set[FreshState]:
    try:
        return {FreshState(state.lower()) for state in given} or set(FreshState)
    except ValueError:
        raise RequestRefused(
            400, f"state must be one of {', '.join(FreshState)}", "state"
        ) from None


def _standing(caller: Caller, one: Standing) -> FreshnessAnswer:
    node, judged = one.about, one.judged
    # A cause that the caller may not read is not named to him.
    may_see = all(caller.may(Role.READ, step.namespace) for step in one.path)
    path = [answer_from(FreshnessStepAnswer, step) for step in one.path] if may_see else []
    return FreshnessAnswer(
        node=one.node,
        type="JOB" if node.is_job else "DATASET",
        namespace=node.namespace,
        name=node.name,
        state=judged.state,
        age_seconds=judged.age,
        last_at=node.last_at,
        since=judged.since,
        until=judged.until,
        terms=_terms(one),
        why=describe_staleness(one) if may_see else "",
        cause=path[-1] if path else None,
        path=path,
        parts=[_part(part) for part in one.parts],
    )


def _part(one: Standing) -> FreshnessPartAnswer:
    return FreshnessPartAnswer(
        part=one.part or "",
        state=one.state,
        age_seconds=one.judged.age,
        last_at=one.about.last_at,
        since=one.judged.since,
        until=one.judged.until,
    )


def _terms(one: Standing) -> FreshnessTermsAnswer:
    node, terms = one.about, one.about.terms
    fresh = terms.freshness
    return FreshnessTermsAnswer(
        text=describe_terms(terms),
        max_age=fresh.max_age,
        since=fresh.since,
        zone=fresh.zone,
        counts=fresh.counts,
        grace=terms.grace,
        per=terms.per,
        expected=list(terms.expected),
        sensor=answer_from(TermsSensorAnswer, node.sensor) if node.sensor else None,
        stated=node.stated,
        set_at=node.set_at,
        set_by=node.set_by,
    )
