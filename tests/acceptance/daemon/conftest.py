"""Commands beside a graph that has pipelines, and a daemon that ends with the test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import PIPELINES
from tests.acceptance.processes import Commands, shared
from tests.receiver import receiver

__all__ = ["receiver"]


@pytest.fixture
def commands(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Commands]:
    quick = {"LINEAGEGRAPH_HEARTBEAT_SECONDS": "1", "LINEAGEGRAPH_LEASE_SECONDS": "4"}
    found = Commands(tmp_path, shared(server, tmp_path / "home") | quick)
    (tmp_path / "pipes.py").write_text(PIPELINES)
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "pipes.py")
    yield found
    found("down")
