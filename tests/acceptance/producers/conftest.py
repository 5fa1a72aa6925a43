"""A lineagegraph server for producers to send to."""

import json
from collections.abc import Iterator

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared, until


@pytest.fixture(scope="session")
def url(server: ServerAddress, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL that `lineagegraph up` serves."""
    folder = tmp_path_factory.mktemp("up")
    commands = Commands(folder, shared(server, folder / "home"))
    process = commands.start("up", "--only", "http")

    def status() -> dict[str, str]:
        found: dict[str, str] = json.loads(commands("status", "--json").stdout)
        return found

    until(lambda: status()["ready"] and status()["http"], seconds=60)
    yield status()["http"]
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture
def endpoint(url: str, graph: Graph) -> str:
    """The URL of a server whose graph is empty."""
    return url
