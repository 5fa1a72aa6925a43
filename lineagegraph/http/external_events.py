"""The route that takes external events."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, Uuid, about, answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import Body, Reply, post, routes_of, tagged
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.settings import Settings
from lineagegraph.triggers.external_event import record_event


class ExternalEventBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """An event; sent again under the same `id` it is the same event."""

    name: Annotated[
        str, about("What happened, as `on.event` names it.", minLength=1, maxLength=200)
    ]
    id: Annotated[
        str | None, about("Sent again under the same id, it is the same event.", maxLength=200)
    ] = None
    occurred_at: Annotated[Timestamp | None, about("When it happened; now if left out.")] = None
    payload: Annotated[dict[str, Any], about("Data of the event, at most 64 kB.")] = {}
    run_id: Annotated[Uuid | None, about("The run that sends it; unknown runs are ignored.")] = None


class ExternalEventAnswer(AnswerStruct):
    """An event, and the runs that it started."""

    id: str
    name: str
    occurred_at: Timestamp
    runs: Annotated[list[Uuid], about("The runs that it queued.")]


OPERATIONS = tagged(
    "triggers",
    post(
        "/api/v1/external-events",
        "sayExternalEvent",
        "Record an external event, and fire the triggers that wait for it.",
        (
            Reply("It is new.", ExternalEventAnswer, 201),
            Reply("It was recorded before under this id.", ExternalEventAnswer),
        ),
        body=Body(
            ExternalEventBody,
            {
                "name": "feed.arrived",
                "id": "feed-2026-11-21",
                "occurredAt": "2026-11-21T06:00:00Z",
                "payload": {"files": ["a.csv", "b.csv"], "region": "EU"},
            },
        ),
    ),
)


def external_event_routes(
    graph: Graph, settings: Settings, nudge: Callable[[], None]
) -> list[RawRoute]:
    """Return the route; `nudge` is called when a trigger fired."""
    max_event_age = settings.max_event_age
    say = partial(_record, graph, max_event_age, nudge)
    return routes_of(OPERATIONS, {"sayExternalEvent": say}, settings.max_body_bytes)


def _record(
    graph: Graph, max_event_age: timedelta, nudge: Callable[[], None], request: Request
) -> Response:
    body = body_of(request, ExternalEventBody)
    event = graph.write(
        record_event,
        body.name,
        payload=body.payload,
        event_id=body.id,
        occurred_at=body.occurred_at,
        run_id=body.run_id,
        max_event_age=max_event_age,
    )
    if event.started:
        nudge()
    runs = [one.run_id for one in event.started if one.run_id]
    return answer(answer_from(ExternalEventAnswer, event, runs=runs), 201 if event.is_new else 200)
