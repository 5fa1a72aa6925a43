"""The route by which others say that something happened."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.graph import Graph
from lineagegraph.http.marquez.bodies import body_of, with_body
from lineagegraph.http.marquez.raw_route import RawRoute
from lineagegraph.http.marquez.reads import Reads, answer
from lineagegraph.settings import Settings
from lineagegraph.triggers.external_event import say_event


class EventBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """Something that happened; the same under the same `id` is one event."""

    name: str
    id: str | None = None
    occurred_at: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    payload: dict[str, Any] = {}


def external_event_routes(
    graph: Graph, settings: Settings, nudge: Callable[[], None]
) -> list[RawRoute]:
    """Return the route; `nudge` is called when a trigger fired."""
    reads = Reads(graph, settings.inherit_namespace, settings.max_body_bytes)
    news = timedelta(seconds=settings.news_seconds)
    say = partial(_say, graph, news, nudge)
    return [RawRoute("/api/v1/external-events", with_body(reads, say), methods=["POST"])]


def _say(graph: Graph, news: timedelta, nudge: Callable[[], None], request: Request) -> Response:
    body = body_of(request, EventBody)
    said = graph.write(
        say_event,
        body.name,
        payload=body.payload,
        event_id=body.id,
        occurred_at=body.occurred_at,
        news=news,
    )
    if said.started:
        nudge()
    answered = answer(
        {
            "id": said.id,
            "name": said.name,
            "occurredAt": said.occurred_at,
            "runs": [one.run_id for one in said.started if one.run_id],
        }
    )
    answered.status_code = 201 if said.is_new else 200
    return answered
