"""The served application, with clients that follow no redirect and check every answer."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.ids import new_id
from lineagegraph.settings import Settings
from tests.acceptance.marquez.document import check_answer
from tests.events import run_event

JSON = {"Content-Type": "application/json"}
Serve = Callable[..., httpx.Client]


class Teller:
    """Sends events about runs into a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def run(
        self,
        name: str,
        *,
        namespace: str = "default",
        under: tuple[str, str, str] | None = None,
        inputs: tuple[str, ...] = (),
        outputs: tuple[str, ...] = (),
        **said: Any,
    ) -> tuple[str, str, str]:
        """Tell of one run, under another where there is one; return what to put others under."""
        said.setdefault("run_id", new_id())
        event = run_event(name, namespace=namespace, **said)
        event["inputs"] = [{"namespace": "lake", "name": one} for one in inputs]
        event["outputs"] = [{"namespace": "lake", "name": one} for one in outputs]
        if under:
            job = {"namespace": under[1], "name": under[2]}
            event["run"]["facets"]["parent"] = {"run": {"runId": under[0]}, "job": job}
        self.tell(event)
        return said["run_id"], namespace, name

    def tell(self, event: dict[str, Any]) -> None:
        """Tell an event."""
        self.graph.write(record, extract([event]))


@pytest.fixture
def tell(graph: Graph) -> Teller:
    return Teller(graph)


@pytest.fixture
def serve(graph: Graph, settings: Settings, tmp_path: Path) -> Iterator[Serve]:
    """Serve with some settings changed, and give a client of that server."""
    with ExitStack() as open_until_the_end:

        def start(**changes: Any) -> httpx.Client:
            own = settings.model_copy(update={"home": tmp_path, **changes})
            server = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
            server.start()
            open_until_the_end.callback(server.stop)
            hooks = {"response": [check_answer]}
            client = httpx.Client(base_url=server.url, timeout=60, event_hooks=hooks, headers=JSON)
            return open_until_the_end.enter_context(client)

        yield start


@pytest.fixture
def client(serve: Serve) -> httpx.Client:
    return serve()
