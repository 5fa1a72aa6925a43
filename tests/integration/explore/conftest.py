"""A small graph as ingestion and execution leave it."""

from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from tests.integration.explore.diary import Diary
from tests.integration.explore.theatre import Theatre

_SAMPLE = Path(__file__).with_name("sample.cypher").read_text(encoding="utf-8")


@pytest.fixture
def sample(graph: Graph) -> Graph:
    """A graph with two pipelines, their data, columns, runs and a trigger."""
    graph.query(_SAMPLE, write=True)
    return graph


@pytest.fixture
def theatre(graph: Graph, tmp_path: Path) -> Theatre:
    """Pipelines that are stated and run at times that the test says."""
    return Theatre(graph, tmp_path)


@pytest.fixture
def diary(graph: Graph) -> Diary:
    """Runs at minutes of days."""
    return Diary(graph)
