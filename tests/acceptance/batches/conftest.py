"""Batches of small programs that note when they ran, and processes that carry them out."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.batches.yard import Yard, open_yard
from tests.project import Project


@pytest.fixture
def project(graph: Graph, tmp_path: Path) -> Project:
    """A project whose runs are carried out in this process."""
    return Project(tmp_path / "project", graph, tmp_path / "home")


@pytest.fixture
def yard(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Yard]:
    """A folder of batches, and commands with quick leases and many worker slots."""
    with open_yard(server, graph, tmp_path, slots=4) as found:
        yield found
