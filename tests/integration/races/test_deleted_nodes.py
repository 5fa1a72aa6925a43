"""Reads of nodes that are deleted after the read has found them."""

from types import ModuleType

import pytest

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.marquez.lineage_answers import described_nodes, lineage_answer
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import job_key
from lineagegraph.queries.lineage import described_lineage, neighbourhood
from lineagegraph.queries.lineage.described_lineage import describe_lineage
from lineagegraph.queries.lineage.neighbourhood import read_neighbourhood
from lineagegraph.views.explorer import pack
from tests.events import run_event
from tests.integration.races.overlap import calling_after

FIRST = job_key(None, "default", "first")
ORDERS = {"namespace": "lake", "name": "orders"}


@pytest.fixture(autouse=True)
def flow(graph: Graph) -> None:
    """A job that writes a table, and one that reads it."""
    first = {**run_event("first", "COMPLETE"), "outputs": [ORDERS]}
    second = {**run_event("second", "COMPLETE"), "inputs": [ORDERS]}
    graph.write(record, extract([first, second]))


def delete_after_walk(
    graph: Graph, monkeypatch: pytest.MonkeyPatch, walker: ModuleType, label: str, name: str
) -> None:
    text = f"MATCH (n:{label} {{name: $name}}) DETACH DELETE n"
    after_walk = calling_after(monkeypatch, walker, "reach")
    after_walk.append(lambda: graph.query(text, {"name": name}, write=True))


@pytest.mark.parametrize(("label", "name"), [("Job", "second"), ("Dataset", "orders")])
def test_lineage_has_no_edge_to_a_node_that_was_deleted_after_the_walk(
    graph: Graph, monkeypatch: pytest.MonkeyPatch, label: str, name: str
) -> None:
    delete_after_walk(graph, monkeypatch, described_lineage, label, name)
    lineage = describe_lineage(graph, FIRST, 5, 5, inherit=True)
    found = lineage_answer(lineage, described_nodes(lineage))
    nodes = {node.id for node in found.graph}
    edges = [edge for node in found.graph for edge in (*node.in_edges, *node.out_edges)]
    assert "job:default:first" in nodes
    assert nodes.issuperset(end for edge in edges for end in (edge.origin, edge.destination))


@pytest.mark.parametrize(("label", "name"), [("Job", "second"), ("Dataset", "orders")])
def test_the_explorer_has_no_edge_to_a_node_that_was_deleted_after_the_walk(
    graph: Graph, monkeypatch: pytest.MonkeyPatch, label: str, name: str
) -> None:
    delete_after_walk(graph, monkeypatch, neighbourhood, label, name)
    piece = pack(read_neighbourhood(graph, "first", up=5, down=5, limit=100))
    assert "first" in {node[2] for node in piece.nodes}
    assert len(piece.edges) == (2 if label == "Job" else 0)


def test_lineage_of_a_job_that_was_deleted_after_the_walk_is_not_found(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    delete_after_walk(graph, monkeypatch, described_lineage, "Job", "first")
    with pytest.raises(NotFound, match="no longer in the graph"):
        describe_lineage(graph, FIRST, 5, 5, inherit=True)
