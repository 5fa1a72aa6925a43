"""A server that was told the worked example over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx

from docs.examples.experiment_metrics import make_events
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.settings import Settings
from tests.acceptance.marquez.document import check_answer

_BATCH = 500


@contextmanager
def serve_example(
    connection: Graph, settings: Settings, home: Path, events: list[dict[str, Any]]
) -> Iterator[httpx.Client]:
    """Empty the graph, tell it of the example, and yield a client that checks every answer."""
    connection.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
    own = settings.model_copy(update={"home": home})
    server = HttpServer(make_application(connection, own), bind("127.0.0.1", 0))
    server.start()
    hooks: dict[str, Any] = {"response": [check_answer]}
    # What has no end is a stream only for those who do not ask for JSON.
    json = {"Accept": "application/json"}
    with httpx.Client(base_url=server.url, timeout=120, event_hooks=hooks, headers=json) as client:
        tell(client, events)
        yield client
    server.stop()


def evening_in_japan() -> list[dict[str, Any]]:
    """Return what Japan tells around the end of both days: little, but of everything."""
    events = make_events(regions=["JP"])
    return [event for event in events if "T14" < event["eventTime"][10:] < "T17"]


def tell(client: httpx.Client, events: list[dict[str, Any]]) -> None:
    """Send events, of which every facet follows its schema."""
    for start in range(0, len(events), _BATCH):
        batch = events[start : start + _BATCH]
        answer = client.post("/api/v1/lineage/batch", json=batch).json()
        assert answer["summary"]["successful"] == len(batch)
        assert answer["facets"] == []
