"""The HTTP server in this process, on the test session's Neo4j."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.settings import Settings

JSON = {"Content-Type": "application/json"}
Serve = Callable[..., httpx.Client]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def serve(graph: Graph, settings: Settings, home: Path) -> Iterator[Serve]:
    """Serve with some settings changed, and give a client of that server."""
    with ExitStack() as open_until_the_end:

        def start(**changes: Any) -> httpx.Client:
            own = settings.model_copy(update={"home": home, **changes})
            server = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
            server.start()
            open_until_the_end.callback(server.stop)
            client = httpx.Client(base_url=server.url, timeout=120, headers=JSON)
            return open_until_the_end.enter_context(client)

        yield start


@pytest.fixture
def client(serve: Serve) -> httpx.Client:
    return serve()
