"""A server that believes that it serves the network, and clients with and without tokens."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2 as httpx
import pytest

from lineagegraph.admin.tokens import add_token
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.model.access import Role
from lineagegraph.settings import Settings
from tests.acceptance.marquez.document import check_answer

JSON = {"Content-Type": "application/json"}
Serve = Callable[..., httpx.Client]
# A client with a token that covers, by role, these namespaces.
Admit = Callable[..., httpx.Client]


@pytest.fixture
def serve(graph: Graph, settings: Settings, tmp_path: Path) -> Iterator[Serve]:
    """Serve as on an address of the network, or another, and give a client without a token."""
    with ExitStack() as open_until_the_end:

        def start(host: str = "0.0.0.0") -> httpx.Client:
            own = settings.model_copy(update={"home": tmp_path, "host": host})
            server = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
            server.start()
            open_until_the_end.callback(server.stop)
            hooks = {"response": [check_answer]}
            client = httpx.Client(base_url=server.url, timeout=60, event_hooks=hooks, headers=JSON)
            return open_until_the_end.enter_context(client)

        yield start


@pytest.fixture
def admit(graph: Graph, serve: Serve) -> Admit:
    def start(**covers: str) -> httpx.Client:
        roles = {Role(role): frozenset(names.split()) for role, names in covers.items()}
        token = add_token(graph, "ci", roles)
        client = serve()
        client.headers["Authorization"] = f"Bearer {token}"
        return client

    return start
