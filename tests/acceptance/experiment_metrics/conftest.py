"""The worked example, sent to the served application over HTTP, once for all tests here."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from docs.examples.experiment_metrics import make_events
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.settings import Settings
from tests.acceptance.marquez.document import check_answer

_BATCH = 500


@pytest.fixture(scope="package")
def told(connection: Graph) -> Graph:
    """An empty graph, for all tests of this folder: they only read."""
    connection.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
    return connection


@pytest.fixture(scope="package")
def client(
    told: Graph, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    """A client that checks every answer, of a server that was told all."""
    home: Path = tmp_path_factory.mktemp("experiment_metrics")
    server = HttpServer(
        make_application(told, settings.model_copy(update={"home": home})), bind("127.0.0.1", 0)
    )
    server.start()
    hooks: dict[str, Any] = {"response": [check_answer]}
    with httpx.Client(base_url=server.url, timeout=120, event_hooks=hooks) as client:
        events = make_events()
        for start in range(0, len(events), _BATCH):
            batch = events[start : start + _BATCH]
            answer = client.post("/api/v1/lineage/batch", json=batch).json()
            assert answer["summary"]["successful"] == len(batch)
            assert answer["facets"] == []
        yield client
    server.stop()
