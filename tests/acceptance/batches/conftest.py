"""Batches of small programs that note when they ran, and processes that carry them out."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.batches.yard import Yard
from tests.acceptance.processes import Commands, shared
from tests.project import Project


@pytest.fixture
def project(graph: Graph, tmp_path: Path) -> Project:
    """A project whose runs are carried out in this process."""
    return Project(tmp_path / "project", graph, tmp_path / "home")


@pytest.fixture
def yard(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Yard]:
    """A folder of batches, and commands with quick leases and many worker slots."""
    quick = {
        "LINEAGEGRAPH_HEARTBEAT_SECONDS": "1",
        "LINEAGEGRAPH_LEASE_SECONDS": "8",
        "LINEAGEGRAPH_WORKER_SLOTS": "4",
    }
    found = Yard(Commands(tmp_path, shared(server, tmp_path / "home") | quick), graph)
    yield found
    found.commands("down")
