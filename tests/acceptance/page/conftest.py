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
def own(tmp_path: Path) -> Settings:
    (tmp_path / "home").mkdir()
    return Settings(home=tmp_path / "home")


@pytest.fixture
def start(graph: Graph, own: Settings) -> Iterator[Callable[..., str]]:
    """Start a server with some other settings, and return its URL."""
    with ExitStack() as until_the_end:

        def started(**changes: str) -> str:
            settings = own.model_copy(update=changes)
            server = HttpServer(make_application(graph, settings), bind("127.0.0.1", 0))
            server.start()
            until_the_end.callback(server.stop)
            return server.url

        yield started


@pytest.fixture
def serve(
    graph: Graph, own: Settings, tmp_path: Path, start: Callable[..., str]
) -> Callable[..., Site]:
    run = fill_graph(graph, own, tmp_path)
    return lambda **changes: Site(start(**changes), run)
