"""Datasets with several names, by symlinks and renames, are one."""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import UTC, datetime
from itertools import permutations
from threading import Event as Signal
from typing import Any

import pytest

from lineagegraph.admin.freshness import set_terms
from lineagegraph.admin.hide import hide_dataset
from lineagegraph.admin.imports import import_events, undo_import
from lineagegraph.graph import Graph, Transaction
from lineagegraph.http.ingest.name_check import list_crowded
from lineagegraph.ingest import same_data
from lineagegraph.ingest.extract import extract
from lineagegraph.model.freshness.standing import FreshState, Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.condition import OnDataset
from lineagegraph.queries.find.find import find_node
from lineagegraph.queries.freshness.freshness import read_standings
from lineagegraph.queries.lineage.impact import find_impact
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.lineage.run_lineage import Steps, walk_from_runs
from lineagegraph.reactions.commit import commit
from lineagegraph.store.datasets import names
from lineagegraph.store.datasets.assertions import list_assertions
from lineagegraph.store.lineage.lineage import list_dataset_nodes
from lineagegraph.triggers.react import react_to_missed
from tests.events import run_event
from tests.integration.imports.test_undo import Listed
from tests.integration.ingest.test_order import wipe
from tests.integration.scheduling.test_triggers import make_trigger

FILE, TABLE, OLD = ("file", "/wh/t"), ("hive://m", "db.t"), ("hive://m", "db.old")
Event = dict[str, Any]


def identifier(name: tuple[str, str]) -> dict[str, str]:
    return {"namespace": name[0], "name": name[1], "type": "TABLE"}


def symlinks(*others: tuple[str, str]) -> dict[str, Any]:
    return {"symlinks": {"identifiers": [identifier(name) for name in others]}}


def renamed(name: tuple[str, str]) -> dict[str, Any]:
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": identifier(name)}
    return {"lifecycleStateChange": change}


def about(name: tuple[str, str], facets: dict[str, Any]) -> Event:
    """An event about a dataset only."""
    return {
        "eventTime": datetime.now(UTC).isoformat(),
        "producer": "https://example.org/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
        "dataset": {"namespace": name[0], "name": name[1], "facets": facets},
    }


def columns(*sources: tuple[tuple[str, str], str]) -> dict[str, Any]:
    """Facets of a dataset with a column `a` that comes from some columns."""
    found = [{"namespace": ns, "name": name, "field": field} for (ns, name), field in sources]
    lineage = {"columnLineage": {"fields": {"a": {"inputFields": found}}}} if sources else {}
    return {"schema": {"fields": [{"name": "a", "type": "int"}]}} | lineage


def writer(**facets: Any) -> Event:
    event = run_event("write", inputs=(("file", "/raw"),), outputs=(FILE,))
    event["outputs"][0]["facets"] = columns((("file", "/raw"), "a")) | facets
    return event


def reader(source: tuple[str, str] = TABLE) -> Event:
    event = run_event("read", inputs=(source,), outputs=(("file", "/report"),))
    event["outputs"][0]["facets"] = columns((source, "a"))
    return event


def send(graph: Graph, *events: Event) -> None:
    for event in events:
        graph.write(commit, extract([event]))


def upstream(graph: Graph, node: str = "dataset:file:/report") -> list[str]:
    found = walk_lineage(graph, node, LineageScope(down=0))
    return sorted(node.name for node in found.nodes)


def test_a_link_in_any_order_joins_the_lineage_of_a_table_and_its_path(graph: Graph) -> None:
    events = [writer(), reader(), about(FILE, symlinks(TABLE))]
    for order in permutations(events):
        wipe(graph)
        send(graph, *order)
        assert upstream(graph) == ["/raw", "/report", "/wh/t", "read", "write"]
        assert upstream(graph, "dataset:hive://m:db.t") == ["/raw", "/wh/t", "write"]
    near = walk_lineage(graph, "dataset:file:/report", LineageScope(up=3, down=0))
    assert sorted(node.name for node in near.nodes) == ["/report", "/wh/t", "read", "write"]
    down = walk_lineage(graph, "dataset:file:/raw", LineageScope(up=0, down=4))
    assert [node.name for node in down.datasets] == ["/raw", "/report", "/wh/t"]
    assert len(down.edges) == 4


def test_a_rename_keeps_the_lineage_of_the_old_name(graph: Graph) -> None:
    read_old = reader(OLD)
    send(graph, read_old, about(TABLE, renamed(OLD)), writer(**symlinks(TABLE)))
    assert upstream(graph) == ["/raw", "/report", "/wh/t", "read", "write"]


def test_columns_and_their_impact_pass_through_other_names(graph: Graph) -> None:
    send(graph, writer(**symlinks(TABLE)), reader())
    found = find_impact(graph, "dataset:file:/raw#a")
    assert [(one.dataset.name, one.distance) for one in found.columns] == [
        *(("/wh/t", 1), ("/report", 2))
    ]
    assert [one.job.name for one in found.jobs] == ["write", "read"]
    for node in ("dataset:file:/wh/t#a", "dataset:hive://m:db.t#a"):
        walked = walk_lineage(graph, node)
        assert len(walked.derivations) == 2, node
        assert [one.name for one in walked.datasets] == ["/raw", "/report", "/wh/t"]


def test_a_run_read_the_version_that_was_written_under_another_name(graph: Graph) -> None:
    wrote, read = writer(**symlinks(TABLE)), reader()
    send(graph, wrote, read)
    first, second = wrote["run"]["runId"], read["run"]["runId"]
    assert set(graph.read(walk_from_runs, [second], Steps(2, None)).runs) == {first, second}
    assert set(graph.read(walk_from_runs, [first], Steps(None, 2)).runs) == {first, second}


def test_a_write_fires_the_triggers_and_freshens_the_terms_of_every_name(graph: Graph) -> None:
    make_trigger(graph, OnDataset(namespace="hive://m", name="db.t"))
    send(graph, reader())
    key = find_node(graph, "dataset:hive://m:db.t").key
    set_terms(graph, key, Terms(freshness=Freshness(max_age=3600)), by="ann")
    assert [one.state for one in read_standings(graph, "UTC", [key])] != [FreshState.FRESH]
    assert len(graph.write(commit, extract([writer(**symlinks(TABLE))]))) == 1
    assert [one.state for one in read_standings(graph, "UTC", [key])] == [FreshState.FRESH]


def test_a_late_link_fires_for_a_recent_write_once(graph: Graph) -> None:
    make_trigger(graph, OnDataset(namespace="hive://m", name="db.t"))
    assert graph.write(commit, extract([writer()])) == []
    assert graph.write(commit, extract([about(FILE, symlinks(TABLE))])) == []
    assert len(react_to_missed(graph)) == 1
    send(graph, about(FILE, symlinks(TABLE, OLD)))
    assert react_to_missed(graph) == []


def test_undoing_the_import_of_a_link_sets_the_names_apart_again(graph: Graph) -> None:
    send(graph, writer(), reader())
    done = import_events(graph, Listed([about(FILE, symlinks(TABLE))]))
    assert "/raw" in upstream(graph)
    undo_import(graph, done.id)
    assert upstream(graph) == ["/report", "db.t", "read"]


def test_a_deleted_facet_sets_the_names_apart(graph: Graph) -> None:
    send(graph, writer(**symlinks(TABLE)), reader(), about(FILE, {"symlinks": {"_deleted": True}}))
    assert upstream(graph) == ["/report", "db.t", "read"]


def test_links_to_two_ends_of_a_set_at_once_join_all_of_it(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b, c, d = (("x", letter) for letter in "abcd")
    send(graph, about(b, symlinks(c)))
    is_read, may_write, set_same = Signal(), Signal(), names.set_same

    def pause_first(tx: Transaction, **rows: Any) -> None:
        if not is_read.is_set():
            is_read.set()
            may_write.wait(10)
        set_same(tx, **rows)

    monkeypatch.setattr(names, "set_same", pause_first)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(send, graph, about(a, symlinks(b)))
        assert is_read.wait(10)
        second = threads.submit(send, graph, about(c, symlinks(d)))
        wait([second], timeout=0.5)
        may_write.set()
        first.result()
        second.result()
    assert same(graph) == {("a", "b", "c", "d")}


def test_a_set_with_too_many_names_is_no_set(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same_data, "MOST_SAME", 3)
    send(graph, writer(**symlinks(TABLE, OLD)), about(("x", "1"), symlinks(("x", "2"), ("x", "3"))))
    assert same(graph) == {("/wh/t", "db.old", "db.t"), ("1", "2", "3")}
    event = about(("x", "3"), symlinks(FILE))
    batch = extract([event])
    graph.write(commit, batch)
    assert same(graph) == set()
    assert [one.path for one in list_crowded(event, batch.crowded)] == ["$.dataset.facets"]
    send(graph, about(("x", "3"), {"symlinks": {"_deleted": True}}))
    assert same(graph) == {("/wh/t", "db.old", "db.t"), ("1", "2", "3")}
    many = [("x", str(number)) for number in range(21)]
    send(graph, about(("y", "1"), symlinks(*many)))
    assert graph.query("MATCH (:Dataset {namespace: 'y'})-[n:HAS_NAME]->() RETURN n") == []


def same(graph: Graph) -> set[tuple[str, ...]]:
    rows = graph.query(
        "MATCH (d:Dataset) WHERE d.same_as IS NOT NULL "
        "WITH d ORDER BY d.name RETURN d.same_as AS first, collect(d.name) AS names"
    )
    return {tuple(row["names"]) for row in rows}


def test_each_name_of_a_dataset_has_the_verdicts_about_all(graph: Graph) -> None:
    send(graph, writer(**symlinks(TABLE)))
    checks = run_event("tests", "COMPLETE", inputs=(TABLE,))
    failed = {"assertion": "rows", "success": False}
    checks["inputs"][0]["inputFacets"] = {"dataQualityAssertions": {"assertions": [failed]}}
    send(graph, checks)
    nodes = [find_node(graph, f"dataset:{namespace}:{name}") for namespace, name in (FILE, TABLE)]
    keys = [node.key for node in nodes]
    found = graph.read(list_assertions, keys=keys)
    assert sorted((one.dataset, one.name, one.verdict) for one in found) == sorted(
        (key, "rows", "failed") for key in keys
    )
    # The only version has been written under the other name.
    (written,) = graph.query(
        "MATCH (:Run)-[:WRITES]->(v:DatasetVersion {dataset_key: $key}) RETURN v.key AS key",
        {"key": keys[0]},
    )
    assert {one.version for one in found} == {written["key"]}
    assert [node.quality for node in graph.read(list_dataset_nodes, keys=keys)] == ["failed"] * 2
    checks["eventTime"] = datetime.now(UTC).isoformat()
    checks["run"]["runId"] = new_id()
    checks["inputs"] = [{"namespace": FILE[0], "name": FILE[1]}]
    passed = {"assertion": "rows", "success": True}
    checks["inputs"][0]["inputFacets"] = {"dataQualityAssertions": {"assertions": [passed]}}
    send(graph, checks)
    assert {one.verdict for one in graph.read(list_assertions, keys=keys)} == {"passed"}
    assert [node.quality for node in graph.read(list_dataset_nodes, keys=keys)] == ["passed"] * 2


def test_a_deleted_dataset_comes_back_under_all_its_names(graph: Graph) -> None:
    send(graph, writer(**symlinks(TABLE)))
    hide_dataset(graph, find_node(graph, "dataset:file:/wh/t").key)
    hidden = "MATCH (d:Dataset) WHERE d.hidden_at IS NOT NULL RETURN d.name AS name ORDER BY name"
    assert graph.query(hidden) == [{"name": "/wh/t"}, {"name": "db.t"}]
    send(graph, reader(TABLE))
    assert graph.query(hidden) == []


def test_a_dataset_of_a_deleted_namespace_comes_back_when_it_is_named_itself(
    graph: Graph,
) -> None:
    send(graph, writer(**symlinks(TABLE)))
    graph.query("MATCH (d:Dataset {name: 'db.t'}) SET d.hidden_at = datetime()", write=True)
    hidden = "MATCH (d:Dataset) WHERE d.hidden_at IS NOT NULL RETURN d.name AS name"
    send(graph, reader(("file", "/wh/t")))
    assert graph.query(hidden) == [{"name": "db.t"}]
    send(graph, reader(TABLE))
    assert graph.query(hidden) == []


def test_too_long_names_in_lineage_are_left_out_of_it(graph: Graph) -> None:
    long = "x" * 9_000
    event = writer()
    event["outputs"][0]["facets"] |= columns((("file", "/raw"), "a"), (("file", long), "a"))
    entries = [{"type": "DATASET", "namespace": "file", "name": long, "inputs": []}]
    event["job"]["facets"]["lineage"] = {"entries": entries}
    event["outputs"][0]["facets"]["lineage"] = {"inputs": [{"namespace": long, "name": "t"}]}
    send(graph, event)
    names_of = "MATCH (d:Dataset) RETURN d.name AS name ORDER BY name"
    assert graph.query(names_of) == [{"name": "/raw"}, {"name": "/wh/t"}]
