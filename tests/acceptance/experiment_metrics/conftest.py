"""The worked example, told to a server once for each file of tests: they only read."""

from collections.abc import Iterator

import httpx2 as httpx
import pytest

from docs.examples.experiment_metrics import make_events
from lineagegraph.graph import Graph
from lineagegraph.settings import Settings
from tests.acceptance.experiment_metrics.telling import serve_example


@pytest.fixture(scope="module")
def client(
    connection: Graph, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    home = tmp_path_factory.mktemp("example")
    with serve_example(connection, settings, home, make_events()) as client:
        yield client
