"""Lineage that is read a piece at a time."""

import random
from datetime import UTC, datetime

import pytest

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.queries.lineage.lineage import walk_lineage
from lineagegraph.queries.lineage.lineage_graph import JobRow, LineageGraph
from lineagegraph.queries.lineage.neighbourhood import (
    KnownKeys,
    read_columns,
    read_more,
    read_neighbourhood,
    trace_column,
)
from lineagegraph.queries.search.details import read_details
from lineagegraph.store.lineage.lineage import get_first_flow
from tests.events import run_event

LIMIT = 1000
LONG_AGO = datetime(1999, 1, 1, tzinfo=UTC)


def ends(graph: LineageGraph) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in graph.edges}


@pytest.mark.parametrize("seed", range(4))
def test_expanding_node_after_node_in_any_order_comes_to_all_there_is(
    sample: Graph, seed: int
) -> None:
    whole = read_neighbourhood(sample, "", up=0, down=0, limit=LIMIT)
    first = read_neighbourhood(sample, "dataset:file:/gold/daily", up=1, down=0, limit=LIMIT)
    nodes = {node.key: node for node in first.graph.nodes}
    edges = ends(first.graph)
    chance = random.Random(seed)
    waiting = list(nodes)
    while waiting:
        key = waiting.pop(chance.randrange(len(waiting)))
        jobs = tuple(key for key, node in nodes.items() if isinstance(node, JobRow))
        known = KnownKeys(jobs, tuple(nodes.keys() - set(jobs)))
        more = read_more(sample, key, known, up=1, down=1, limit=LIMIT).graph
        assert not {node.key for node in more.nodes} & nodes.keys()
        nodes |= {node.key: node for node in more.nodes}
        edges |= ends(more)
        waiting += [node.key for node in more.nodes]
    joined = walk_lineage(sample, "dataset:file:/gold/daily")
    assert nodes.keys() >= {node.key for node in joined.nodes}
    assert nodes.keys() <= {node.key for node in whole.graph.nodes}
    assert edges == {edge for edge in ends(whole.graph) if set(edge) <= nodes.keys()}


def test_counts_say_how_much_is_next_to_a_node_shown_or_not(sample: Graph) -> None:
    whole = read_neighbourhood(sample, "", up=0, down=0, limit=LIMIT)
    piece = read_neighbourhood(sample, "dataset:file:/gold/daily", up=1, down=0, limit=LIMIT)
    for one in piece.counts:
        assert one.before == sum(edge.target == one.key for edge in whole.graph.edges)
        assert one.after == sum(edge.source == one.key for edge in whole.graph.edges)
    assert any(one.before for one in piece.counts)


def test_all_of_a_graph_that_is_too_large_is_what_is_around_the_job_that_ran_last(
    sample: Graph,
) -> None:
    whole = read_neighbourhood(sample, "", up=1, down=1, limit=LIMIT)
    sample.write(record, extract([run_event("late", inputs=(("file", "/gold/daily"),))]))
    cut = read_neighbourhood(sample, "", up=1, down=1, limit=len(whole.graph.nodes))
    (latest,) = (node for node in cut.graph.nodes if node.key == cut.latest)
    assert isinstance(latest, JobRow)
    assert latest.name == "late"
    assert {node.name for node in cut.graph.nodes} == {"late", "/gold/daily"}
    assert cut.graph.cut
    assert cut.graph.roots == (cut.latest,)


def test_before_data_flowed_there_is_nothing(sample: Graph) -> None:
    first = sample.read(get_first_flow)
    assert first is not None
    assert first > LONG_AGO
    assert not read_neighbourhood(sample, "", up=0, down=0, limit=LIMIT, at=LONG_AGO).graph.nodes
    assert read_neighbourhood(sample, "", up=0, down=0, limit=LIMIT, at=first).graph.nodes


def test_an_empty_graph_has_no_first_flow(graph: Graph) -> None:
    assert graph.read(get_first_flow) is None


def test_the_details_of_a_node_are_lines(sample: Graph) -> None:
    job = dict(read_details(sample, "k:nyc.delays.daily").lines)
    assert (job["name"], job["kind"]) == ("nyc.delays.daily", "task")
    dataset = dict(read_details(sample, "d:/gold/daily").lines)
    assert (dataset["namespace"], dataset["kind"]) == ("file", "dataset")
    assert dict(read_details(sample, "d:clean").lines)["written"].endswith(" UTC")
    there = dict(read_details(sample, "d:clean", zone="Asia/Tokyo").lines)
    assert there["written"].endswith(" JST")
    with pytest.raises(NotFound, match="no longer in the graph"):
        read_details(sample, "d:nothing")


def test_open_datasets_show_what_joins_their_columns(sample: Graph) -> None:
    keys = ["d:/gold/daily", "d:clean"]
    found = read_columns(sample, keys)
    assert {node.key for node in found.nodes} == set(keys)
    shown = {column.key for dataset in found.datasets for column in dataset.columns}
    assert found.derivations
    assert all({one.source, one.target} <= shown for one in found.derivations)
    assert not read_columns(sample, keys[:1]).derivations


def test_a_column_is_traced_to_where_it_came_from(sample: Graph) -> None:
    found = trace_column(sample, "f:/gold/daily#mean_delay", LIMIT)
    names = {dataset.name for dataset in found.graph.datasets}
    assert names == {"/gold/daily", "clean", "flights", "/raw/flights.csv"}
    assert {one.key for one in found.counts} == {node.key for node in found.graph.nodes}
