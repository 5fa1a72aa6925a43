"""What counts for a whole dataset is one edge, and is read as an edge of each column."""

from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.graph.statements import statement
from lineagegraph.ingest.column_facets import list_derivations
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import dataset_key, field_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.lineage.lineage_graph import LineageGraph
from lineagegraph.queries.lineage.neighbourhood import read_columns
from tests.events import run_event

WIDE, OUT = 60, "/wide"


def source(field: str, kind: str, dataset: str = "/in") -> dict[str, Any]:
    found = {"namespace": "file", "name": dataset, "field": field}
    return found | {"transformations": [{"type": kind, "subtype": "FILTER"}]}


def facet(columns: int = WIDE) -> dict[str, Any]:
    """Column lineage: each column from one, and all from many columns of the same dataset."""
    own: dict[str, Any] = {
        f"c{n}": {"inputFields": [source(f"x{n}", "DIRECT")]} for n in range(columns)
    }
    own["c0"] |= {"transformationType": "MASKED"}
    shared = [source(f"x{n}", "INDIRECT") for n in range(columns - 1)]
    return {"fields": own, "dataset": [*shared, {"namespace": "file", "name": "/in", "field": "k"}]}


def write(body: dict[str, Any], **said: Any) -> dict[str, Any]:
    event = run_event("job", outputs=(("file", OUT),), **said)
    columns = [{"name": name} for name in body["fields"]]
    event["outputs"][0]["facets"] = {"columnLineage": body, "schema": {"fields": columns}}
    return event


def send(graph: Graph, *events: dict[str, Any]) -> None:
    for event in events:
        graph.write(record, extract([event]))


def edges(found: LineageGraph) -> set[tuple[str | None, ...]]:
    return {
        (one.target, one.source, one.type, one.subtype, one.description)
        for one in found.derivations
    }


def expanded(body: dict[str, Any]) -> set[tuple[str | None, ...]]:
    """Return the derivations of a facet, each column with all of its sources."""
    out = dataset_key("file", OUT)
    return {
        (
            field_key(out, one.column),
            field_key(dataset_key(one.source_namespace, one.source_dataset), one.source_column),
            *(one.type, one.subtype, one.description),
        )
        for one in list_derivations(body)
    }


def test_many_dependencies_of_many_columns_are_few_edges_and_all_are_read(graph: Graph) -> None:
    body = facet()
    send(graph, write(body), write(body))
    (kept,) = graph.query("MATCH ()-[e:DERIVED_FROM|IN_SET]->() RETURN count(e) AS n")
    assert kept["n"] < 5 * WIDE
    expected = expanded(body)
    assert len(expected) > WIDE * WIDE
    indirect = LineageScope(columns=True, indirect=True)
    for node in (f"dataset:file:{OUT}", "dataset:file:/in"):
        assert edges(walk_lineage(graph, node, indirect)) == expected
    keys = [dataset_key("file", name) for name in (OUT, "/in")]
    assert edges(read_columns(graph, keys[:1])) == set()
    direct = edges(walk_lineage(graph, f"dataset:file:{OUT}", LineageScope(columns=True)))
    assert direct == {edge for edge in expected if edge[2] == "DIRECT"}


def test_steps_through_whole_datasets_count_as_one(graph: Graph) -> None:
    first = write({"fields": {"c": {}}, "dataset": [source("x", "DIRECT")]})
    second = run_event("next", outputs=(("file", "/end"),))
    last = {"fields": {"e": {}}, "inputs": [source("c", "DIRECT", OUT)]}
    second["outputs"][0]["facets"] = {"lineage": last}
    send(graph, first, second)
    for node, scope, reached in (
        ("dataset:file:/end", LineageScope(columns=True, up=1), {OUT, "/end"}),
        ("dataset:file:/end", LineageScope(columns=True), {"/in", OUT, "/end"}),
        ("dataset:file:/in", LineageScope(columns=True, down=1), {"/in", OUT}),
    ):
        assert {one.name for one in walk_lineage(graph, node, scope).datasets} == reached


def test_sets_move_with_the_job_and_none_is_left_of_the_old_one(graph: Graph) -> None:
    run, dag = new_id(), new_id()
    send(graph, write(facet(2), run_id=run))
    send(graph, run_event("job", "START", run_id=run, parent=(dag, "dag")))
    assert graph.query(
        "MATCH (s:ColumnSet)-[e:DERIVED_FROM]->() WITH DISTINCT s, e.job_key AS key "
        "MATCH (j:Job {key: key}) RETURN DISTINCT j.fqn AS job, s.job_key = key AS same"
    ) == [{"job": "dag.job", "same": True}]


@pytest.mark.parametrize("name", ["link_derivations", "link_sets"])
def test_no_row_of_column_lineage_is_looked_for_in_that_of_all_jobs(
    graph: Graph, name: str
) -> None:
    text = statement(f"datasets/fields/{name}")
    with graph.autocommit() as session:
        plan = session.run(f"EXPLAIN {text}", rows=[]).consume().plan
    assert "Expand(Into)" in str(plan)
    assert "RelationshipIndex" not in str(plan)
