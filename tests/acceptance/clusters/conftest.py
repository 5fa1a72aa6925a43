"""A daemon whose runs submit programs to clusters and report over HTTP."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.clusters.yarn import free_ports
from tests.acceptance.processes import Commands, shared

Start = Callable[..., Commands]


@pytest.fixture
def start(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a daemon with pipelines and variables."""
    started: list[Commands] = []

    def begin(pipelines: str, **variables: str) -> Commands:
        (port,) = free_ports(1)
        quick = {
            "LINEAGEGRAPH_HEARTBEAT_SECONDS": "1",
            "LINEAGEGRAPH_LEASE_SECONDS": "4",
            "LINEAGEGRAPH_PORT": str(port),
            "LINEAGEGRAPH_REPORT_URL": f"http://127.0.0.1:{port}",
        }
        found = Commands(tmp_path, shared(server, tmp_path / "home") | quick | variables)
        (tmp_path / "orders.csv").write_text("region,amount\neu,1\neu,2\nuk,3\n")
        (tmp_path / "pipes.py").write_text(pipelines)
        sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "pipes.py")
        found("up", "--detach")
        started.append(found)
        return found

    yield begin
    for each in started:
        each("down")
