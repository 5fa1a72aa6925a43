"""What a namespace and a name mean: the job served there, the one that it leads to, or several."""

from typing import Any

import pytest

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.find.resolve import FoundDataset, Resolution, resolve_job, resolve_node
from tests.events import run_event

LONG = (
    "hourly_experiment_metrics_workflow.calculate_current_hourly_customer_experiment_metrics"
    ".customer_experiment_metrics_job.execute_insert_into_datasource"
)


def send(graph: Graph, *events: dict[str, Any]) -> None:
    for event in events:
        graph.write(record, extract([event]))


def chain(graph: Graph, *jobs: tuple[str, str]) -> None:
    """Send one run of each job, each under the one before it; a job is a namespace and a name."""
    above: tuple[str, str, str] | None = None
    for namespace, name in jobs:
        run = new_id()
        event = run_event(name, run_id=run, namespace=namespace)
        if above:
            parent = {"run": {"runId": above[0]}, "job": {"namespace": above[1], "name": above[2]}}
            event["run"]["facets"]["parent"] = parent
        send(graph, event)
        above = (run, namespace, name)


def resolve(graph: Graph, namespace: str, name: str, *, inherit: bool = True) -> Resolution:
    return resolve_job(graph, namespace, name, inherit=inherit)


def served(found: Resolution) -> list[tuple[str, str]]:
    return [(job.namespace, job.name) for job in found.found]


def test_a_job_is_found_exactly_by_its_fqn_in_the_namespace_of_its_topmost_ancestor(
    graph: Graph,
) -> None:
    chain(graph, ("airflow", "dag"), ("airflow", "dag.load"), ("spark", "app"), ("spark", "app.w"))
    found = resolve(graph, "airflow", "dag.load.app.w")
    assert found.is_exact
    assert served(found) == [("airflow", "dag.load.app.w")]


@pytest.mark.parametrize(
    ("namespace", "name"),
    [
        ("spark", "dag.load.app.w"),
        ("spark", "app.w"),
        ("airflow", "app.w"),
        ("airflow", "w"),
        ("spark", "w"),
    ],
)
def test_own_names_and_simple_names_lead_to_the_job(
    graph: Graph, namespace: str, name: str
) -> None:
    chain(graph, ("airflow", "dag"), ("airflow", "dag.load"), ("spark", "app"), ("spark", "app.w"))
    found = resolve(graph, namespace, name)
    assert not found.is_exact
    assert served(found) == [("airflow", "dag.load.app.w")]


def test_a_name_that_a_job_had_before_its_parents_were_known_leads_to_it(graph: Graph) -> None:
    dag, task, app = (new_id() for _ in range(3))
    send(graph, run_event("write", parent=(app, "app")))
    assert resolve(graph, "default", "app.write").is_exact
    send(graph, run_event("app", run_id=app, parent=(task, "dag.load")))
    send(graph, run_event("dag.load", run_id=task, parent=(dag, "dag")))
    found = resolve(graph, "default", "app.write")
    assert not found.is_exact
    assert served(found) == [("default", "dag.load.app.write")]


def test_an_alias_leads_to_every_job_that_had_the_name(graph: Graph) -> None:
    chain(graph, ("default", "daily"), ("default", "app"))
    chain(graph, ("default", "hourly"), ("default", "app"))
    graph.query(
        "MATCH (j:Job {simple_name: 'app'}) MERGE (a:Alias {key: $key, name: 'old'}) "
        "MERGE (a)-[:NAMES]->(j)",
        {"key": dataset_key("default", "old")},
        write=True,
    )
    assert served(resolve(graph, "default", "old")) == [
        ("default", "daily.app"),
        ("default", "hourly.app"),
    ]


def test_one_simple_name_under_two_workflows_means_either(graph: Graph) -> None:
    chain(graph, ("default", "daily"), ("default", "app"))
    chain(graph, ("default", "hourly"), ("default", "app"))
    assert served(resolve(graph, "default", "app")) == [
        ("default", "daily.app"),
        ("default", "hourly.app"),
    ]


def test_a_simple_name_in_another_namespace_means_nothing(graph: Graph) -> None:
    chain(graph, ("here", "dag"), ("here", "dag.load"))
    with pytest.raises(NotFound, match="no job 'load' in namespace 'there'"):
        resolve(graph, "there", "load")


def test_an_exact_name_wins_over_a_simple_one(graph: Graph) -> None:
    chain(graph, ("default", "load"))
    chain(graph, ("default", "dag"), ("default", "dag.load"))
    found = resolve(graph, "default", "load")
    assert found.is_exact
    assert served(found) == [("default", "load")]


def test_two_jobs_that_inheritance_makes_meet_are_both_meant_and_told_apart_by_key(
    graph: Graph,
) -> None:
    for namespace in ("dbt", "spark"):
        dag = new_id()
        send(graph, run_event("dag", run_id=dag, namespace="airflow"))
        child = run_event("model", namespace=namespace)
        parent = {"run": {"runId": dag}, "job": {"namespace": "airflow", "name": "dag"}}
        child["run"]["facets"]["parent"] = parent
        send(graph, child)
    found = resolve(graph, "airflow", "dag.model")
    assert served(found) == [("airflow", "dag.model")] * 2
    assert all(job.has_twin for job in found.found)
    for job in found.found:
        chosen = resolve_job(graph, "airflow", "dag.model", inherit=True, key=job.key)
        assert chosen.is_exact
        assert chosen.found[0].key == job.key
    led = resolve(graph, "dbt", "model")
    assert [job.has_twin for job in led.found] == [True]
    apart = resolve(graph, "dbt", "dag.model", inherit=False)
    assert apart.is_exact
    assert not apart.found[0].has_twin


def test_without_inheritance_a_job_is_served_in_its_own_namespace_and_found_in_the_other(
    graph: Graph,
) -> None:
    chain(graph, ("airflow", "dag"), ("spark", "app"))
    assert resolve(graph, "spark", "dag.app", inherit=False).is_exact
    found = resolve(graph, "airflow", "dag.app", inherit=False)
    assert not found.is_exact
    assert served(found) == [("spark", "dag.app")]


@pytest.mark.parametrize("prefixed", [True, False])
def test_the_long_name_is_the_same_whether_own_names_have_their_parents_in_front_or_not(
    graph: Graph, prefixed: bool
) -> None:
    parts = LONG.split(".")
    names = [".".join(parts[: n + 1]) if prefixed else part for n, part in enumerate(parts)]
    chain(graph, *(("food", name) for name in names))
    assert resolve(graph, "food", LONG).is_exact
    assert served(resolve(graph, "food", parts[-1])) == [("food", LONG)]


def test_a_node_id_is_cut_at_the_colon_that_fits(graph: Graph) -> None:
    event = run_event("etl:load", namespace="s3://a:9", outputs=(("s3://b:1", "x:y"),))
    send(graph, event)
    job = resolve_node(graph, "job:s3://a:9:etl:load", inherit=True)
    assert isinstance(job, Resolution)
    assert served(job) == [("s3://a:9", "etl:load")]
    assert resolve_node(graph, "dataset:s3://b:1:x:y", inherit=True) == FoundDataset(
        dataset_key("s3://b:1", "x:y")
    )
    with pytest.raises(NotFound):
        resolve_node(graph, "job:s3://a:9", inherit=True)
