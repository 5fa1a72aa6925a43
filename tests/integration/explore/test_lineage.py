"""Lineage as the graph has it."""

import pytest

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.lineage.lineage_graph import LineageGraph

GOLD = "dataset:file:/gold/daily"


def names(graph: LineageGraph) -> set[str]:
    return {node.name for node in graph.nodes}


def test_lineage_reaches_through_two_pipelines(sample: Graph) -> None:
    found = walk_lineage(sample, GOLD, LineageScope(down=0))
    assert {d.name for d in found.datasets} == {
        "/raw/flights.csv",
        "flights",
        "clean",
        "/gold/daily",
    }
    assert len(found.edges) == 6
    assert not found.cut


def test_lineage_stops_after_as_many_edges_as_asked_for(sample: Graph) -> None:
    assert names(walk_lineage(sample, GOLD, LineageScope(up=2))) == {
        "/gold/daily",
        "nyc.delays.daily.app.save",
        "clean",
    }


@pytest.mark.parametrize("edges", [0, 1, 4, 20, 21, 25, 30])
def test_each_depth_of_a_long_chain_has_its_own_end(graph: Graph, edges: int) -> None:
    step = """
      UNWIND range(0, 29) AS n
      MERGE (d:Dataset {key: 'd' + n, namespace: 'file', name: '/' + n})
      CREATE (j:Job {key: 'j' + n, namespace: 'n', name: 'j'})
      SET j.fqn = j.key, j.simple_name = j.key
      MERGE (e:Dataset {key: 'd' + (n + 1), namespace: 'file', name: '/' + (n + 1)})
      CREATE (d)-[:FEEDS]->(j)-[:PRODUCES]->(e)
    """
    graph.query(step, write=True)
    for scope, end in ((LineageScope(up=edges, down=0), 30), (LineageScope(up=0, down=edges), 0)):
        found = walk_lineage(graph, f"dataset:file:/{end}", scope)
        assert (len(found.nodes), len(found.edges)) == (edges + 1, edges)


def test_a_pipeline_stands_for_all_jobs_below_it(sample: Graph) -> None:
    found = walk_lineage(sample, "nyc.delays", LineageScope(up=1, down=1))
    assert {d.name for d in found.datasets} == {"flights", "clean", "/gold/daily"}


def test_tasks_stand_in_place_of_what_runs_in_them(sample: Graph) -> None:
    found = walk_lineage(sample, GOLD, LineageScope(up=1, level="task"))
    assert names(found) == {"/gold/daily", "nyc.delays.daily"}


def test_pipelines_have_their_own_intermediate_data_as_output_only(sample: Graph) -> None:
    found = walk_lineage(sample, "nyc.delays", LineageScope(level="pipeline"))
    keys = {node.key: node.name for node in found.nodes}
    edges = {(keys[e.source], keys[e.target]) for e in found.edges}
    assert ("nyc.delays", "clean") in edges
    assert ("clean", "nyc.delays") not in edges
    assert ("flights", "nyc.delays") in edges


def test_a_job_that_reads_what_it_writes_keeps_both_edges(sample: Graph) -> None:
    assert len(walk_lineage(sample, "upsert", LineageScope(level="pipeline")).edges) == 2


def test_a_column_comes_from_exact_columns_through_two_pipelines(sample: Graph) -> None:
    found = walk_lineage(sample, f"{GOLD}#mean_delay", LineageScope(down=0))
    columns = {(d.name, c.name) for d in found.datasets for c in d.columns}
    assert columns == {
        ("/gold/daily", "mean_delay"),
        ("clean", "delay"),
        ("flights", "dep_delay"),
        ("/raw/flights.csv", "dep_delay"),
    }


def test_columns_that_only_group_are_followed_when_asked_for(sample: Graph) -> None:
    found = walk_lineage(sample, f"{GOLD}#mean_delay", LineageScope(down=0, indirect=True))
    assert ("clean", "carrier") in {(d.name, c.name) for d in found.datasets for c in d.columns}


def test_columns_of_a_pipeline_are_found_below_a_thousand_jobs(sample: Graph) -> None:
    sample.query(
        "MATCH (j:Job {fqn: 'nyc.delays'}) UNWIND range(1, 1000) AS n "
        "CREATE (j)-[:PARENT_OF]->(:Job {key: '0' + n, namespace: j.namespace, fqn: 'j' + n, "
        "simple_name: 'j', name: 'j' + n})",
        write=True,
    )
    found = walk_lineage(sample, "nyc.delays", LineageScope(columns=True))
    assert "/gold/daily" in {dataset.name for dataset in found.datasets}
    assert not found.cut


def test_columns_downstream_of_a_source_are_found(sample: Graph) -> None:
    found = walk_lineage(sample, "/raw/flights.csv", LineageScope(columns=True, up=0))
    gold = next(d for d in found.datasets if d.name == "/gold/daily")
    assert [c.name for c in gold.columns] == ["carrier", "mean_delay"]


def test_a_column_that_is_gone_is_not_a_column_of_its_dataset(sample: Graph) -> None:
    with pytest.raises(NotFound, match="it has month, dep_delay, carrier, note"):
        walk_lineage(sample, "/raw/flights.csv#gone")


def test_a_walk_that_meets_its_limit_says_so(sample: Graph) -> None:
    assert walk_lineage(sample, GOLD, LineageScope(limit=3)).cut


def test_a_column_that_several_lead_to_is_reached_once(sample: Graph) -> None:
    found = walk_lineage(sample, "nyc.delays", LineageScope(columns=True, limit=12))
    assert sum(len(d.columns) for d in found.datasets) == 11
    assert not found.cut
