"""A server of the page, with a graph that has something for each view."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.settings import Settings
from tests.acceptance.page.site import Site, fill_graph


@pytest.fixture
def serve(graph: Graph, tmp_path: Path) -> Iterator[Callable[..., Site]]:
    settings = Settings(home=tmp_path / "home")
    settings.home.mkdir()
    run = fill_graph(graph, settings, tmp_path)
    with ExitStack() as until_the_end:

        def start(**changes: str) -> Site:
            own = settings.model_copy(update=changes)
            server = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
            server.start()
            until_the_end.callback(server.stop)
            return Site(server.url, run)

        yield start
