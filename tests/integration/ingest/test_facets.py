"""What facets say, in the graph."""

import json
from typing import Any

import pytest

from lineagegraph.errors import InvalidEvent
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.runs.run_facts import list_facts
from lineagegraph.queries.runs.runs import read_run, read_runs
from tests.events import run_event


def send(graph: Graph, *events: dict[str, Any]) -> None:
    for event in events:
        graph.write(record, extract([event]))


def source(name: str, field: str | None = None) -> dict[str, Any]:
    found = {"namespace": "file", "name": name, "type": "DATASET"}
    return found | ({"field": field} if field else {})


def test_a_deleted_facet_is_no_longer_linked_but_what_was_sent_is_kept(graph: Graph) -> None:
    run_id = new_id()
    first, second = (run_event("job", "RUNNING", run_id=run_id) for _ in range(2))
    first["job"]["facets"] = {"sql": {"query": "SELECT 1"}}
    second["job"]["facets"] = {"sql": {"_deleted": True}}
    linked = "MATCH (:Run)-[h:HAS_FACET {name: 'sql'}]->() RETURN count(h) AS n"
    send(graph, first)
    assert graph.query(linked) == [{"n": 1}]
    send(graph, second)
    assert graph.query(linked) == [{"n": 0}]
    assert graph.query("MATCH (f:Facet {name: 'sql'}) RETURN count(f) AS n") == [{"n": 2}]


def test_explicit_lineage_of_a_job_gives_its_datasets_and_their_columns(graph: Graph) -> None:
    event = run_event("job")
    fields = {"total": {"inputs": [source("/orders", "amount")]}}
    entry = {**source("/report"), "inputs": [source("/orders")], "fields": fields}
    event["job"]["facets"] = {"lineage": {"entries": [entry]}}
    send(graph, event)
    assert graph.query(
        "MATCH (i:Dataset)-[:FEEDS]->(:Job {name: 'job'})-[:PRODUCES]->(o:Dataset) "
        "RETURN i.name AS read, o.name AS written"
    ) == [{"read": "/orders", "written": "/report"}]
    assert graph.query(
        "MATCH (f:Field)-[:DERIVED_FROM]->(s:Field) RETURN f.name AS made, s.name AS source"
    ) == [{"made": "total", "source": "amount"}]


def test_explicit_lineage_of_an_output_names_what_its_job_read(graph: Graph) -> None:
    event = run_event("job", outputs=(("file", "/report"),))
    event["outputs"][0]["facets"] = {"lineage": {"inputs": [source("/orders")]}}
    send(graph, event)
    assert graph.query("MATCH (d:Dataset)-[:FEEDS]->(j:Job) RETURN d.name AS d, j.name AS j") == [
        {"d": "/orders", "j": "job"}
    ]


def test_job_dependencies_say_which_run_follows_which(graph: Graph) -> None:
    before, after = new_id(), new_id()
    upstream = {
        "job": {"namespace": "default", "name": "dag.extract"},
        "run": {"runId": before},
        "sequence_trigger_rule": "FINISH_TO_START",
    }
    event = run_event("dag.load", run_id=after)
    event["run"]["facets"]["jobDependencies"] = {"upstream": [upstream, {"job": 5}]}
    send(graph, event)
    assert graph.query(
        "MATCH (a:Run)-[f:FOLLOWS]->(b:Run) "
        "RETURN a.id AS a, b.id AS b, b.name AS name, f.sequence_trigger_rule AS rule"
    ) == [{"a": after, "b": before, "name": "dag.extract", "rule": "FINISH_TO_START"}]


def test_a_run_shows_the_runs_before_and_after_it_that_its_producer_names(graph: Graph) -> None:
    producing, task, consuming = run_event("sales"), run_event("sales.write"), run_event("report")
    first, second, third = (event["run"]["runId"] for event in (producing, task, consuming))
    parent = {"run": {"runId": first}, "job": {"namespace": "default", "name": "sales"}}
    task["run"]["facets"]["parent"] = parent
    before = {"run": {"runId": second}, "job": {"namespace": "default", "name": "sales.write"}}
    # Which of its own tasks comes after which is seen in its tree.
    other = run_event("sales.check")
    other["run"]["facets"] |= {"parent": parent, "jobDependencies": {"upstream": [before]}}
    consuming["run"]["facets"]["jobDependencies"] = {"upstream": [before]}
    send(graph, producing, task, other, consuming)
    orders = {name: value for name, value in list_facts(read_run(graph, third)) if "follow" in name}
    assert orders == {"follows": f"sales.write  run {second}  (COMPLETED)"}
    after = [one for one in list_facts(read_run(graph, first)) if "follow" in one[0]]
    assert after == [("followed by", f"report  run {third}  (COMPLETED)")]


def test_a_run_of_airflow_shows_its_name_and_the_log_of_its_task(graph: Graph) -> None:
    log = "http://airflow/dags/hunt/runs/manual/tasks/part/mapped/2?try_number=3"
    event = run_event("hunt.part")
    event["run"]["facets"]["airflow"] = {
        "dagRun": {"dag_id": "hunt", "run_id": "manual__2026"},
        "taskInstance": {"log_url": log, "map_index": 2, "try_number": 3},
    }
    of_dag = run_event("hunt")
    of_dag["run"]["facets"]["airflowDagRun"] = {"dagRun": {"run_id": "manual__2026"}, "dag": 5}
    odd = run_event("odd")
    odd["run"]["facets"]["airflow"] = {"dagRun": [], "taskInstance": "?"}
    send(graph, event, of_dag, odd)
    facts = dict(list_facts(read_run(graph, event["run"]["runId"])))
    assert facts == facts | {
        "Airflow run": "manual__2026",
        "Airflow try": "3",
        "map index": "2",
        "Airflow log": log,
    }
    shown = dict(list_facts(read_run(graph, of_dag["run"]["runId"])))
    assert [name for name in shown if "irflow" in name] == ["Airflow run"]
    assert not [
        name for name, _ in list_facts(read_run(graph, odd["run"]["runId"])) if "irf" in name
    ]


def test_twenty_regions_are_one_job_with_twenty_partitions(graph: Graph) -> None:
    for number in range(20):
        event = run_event("metrics")
        event["run"]["facets"]["lineagegraph"] = {"partition": {"region": f"R{number}"}}
        send(graph, event)
    found = graph.query(
        "MATCH (:Job)-[:HAS_RUN]->(r) RETURN count(r) AS runs, count(DISTINCT r.partition) AS parts"
    )
    assert found == [{"runs": 20, "parts": 20}]
    assert graph.query("MATCH (j:Job) RETURN count(j) AS n") == [{"n": 1}]


def test_a_nominal_time_is_the_partition_of_a_run_that_names_none(graph: Graph) -> None:
    for start in ("2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00"):
        event = run_event("hourly")
        event["run"]["facets"]["nominalTime"] = {"nominalStartTime": start}
        send(graph, event)
    (row,) = graph.query("MATCH (r:Run) RETURN DISTINCT r.partition AS partition")
    assert json.loads(row["partition"]) == {"nominalStartTime": "2026-01-01T00:00:00+00:00"}


def test_a_dataset_that_is_named_twice_keeps_what_is_said_of_both(graph: Graph) -> None:
    event = run_event("job", outputs=(("file", "/t"), ("file", "/t")))
    for part, output in zip(("a", "b"), event["outputs"], strict=True):
        fields = {part: {"inputFields": [source("/s", part)]}}
        output["facets"] = {"columnLineage": {"fields": fields}}
    send(graph, event)
    assert graph.query("MATCH (f)-[:DERIVED_FROM]->() RETURN f.name AS name ORDER BY name") == [
        {"name": "a"},
        {"name": "b"},
    ]


def test_a_time_before_the_first_year_in_utc_is_refused() -> None:
    event = run_event("job") | {"eventTime": "0001-01-01T00:00:00+14:00"}
    with pytest.raises(InvalidEvent, match=r"\$\.eventTime"):
        extract([event])


def test_the_error_of_a_spark_listener_is_the_error_of_its_run(graph: Graph) -> None:
    event = run_event("write", "FAIL")
    trace = "org.apache.spark.SparkException: no luck\n\tat org.apache.spark.Some.method"
    event["run"]["facets"]["spark.exception"] = {"stackTrace": trace}
    send(graph, event)
    assert graph.query("MATCH (r:Run) RETURN r.error AS error") == [
        {"error": "org.apache.spark.SparkException: no luck"}
    ]


def test_what_is_no_time_and_no_number_does_not_keep_its_run_from_being_read(graph: Graph) -> None:
    run_id = new_id()
    event = run_event("job", run_id=run_id)
    event["run"]["facets"] = {
        "nominalTime": {"nominalStartTime": "soon"},
        "lineagegraph": {"attempt": {"a": 1}, "version": 5, "reason": ["x"], "params": "none"},
    }
    send(graph, event)
    found = read_run(graph, run_id).run
    assert (found.attempt, found.version, found.reason) == (None, None, None)
    assert read_runs(graph, "job")[0].nominal_start is None
