"""A small graph as ingestion and execution leave it."""

from pathlib import Path

import pytest

from lineagegraph.graph import Graph

_SAMPLE = Path(__file__).with_name("sample.cypher").read_text(encoding="utf-8")


@pytest.fixture
def sample(graph: Graph) -> Graph:
    """A graph with two pipelines, their data, columns, runs and a trigger."""
    graph.query(_SAMPLE, write=True)
    return graph
