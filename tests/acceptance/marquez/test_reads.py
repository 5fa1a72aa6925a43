"""What the reads answer: Marquez's shapes, orders and totals."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from tests.acceptance.marquez.conftest import Serve, Teller
from tests.events import job_event, run_event

NOW = datetime(2026, 3, 1, tzinfo=UTC)
V1 = "/api/v1"


def read(client: httpx.Client, path: str) -> Any:
    answer = client.get(V1 + path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def names(page: dict[str, Any], what: str = "jobs") -> list[str]:
    return [item["name"] for item in page[what]]


def test_a_job_has_what_marquez_s_clients_read_and_its_ancestors(
    client: httpx.Client, tell: Teller
) -> None:
    dag = tell.run("dag", namespace="airflow")
    task = tell.run("dag.load", namespace="airflow", under=dag)
    tell.run("app", namespace="spark", under=task, inputs=("/raw",), outputs=("/gold",), at=NOW)
    job = read(client, "/namespaces/airflow/jobs/dag.load.app")
    assert job["id"] == {"namespace": "airflow", "name": "dag.load.app"}
    assert job["namespace"] == "airflow"
    assert (job["name"], job["simpleName"]) == ("dag.load.app", "app")
    assert job["parentHierarchy"] == ["dag", "load"]
    assert job["parentJobName"] == "dag.load"
    parent = read(client, "/namespaces/airflow/jobs/dag.load")
    assert job["parentJobUuid"] == parent["uuid"]
    assert job["type"] == "BATCH"
    assert job["inputs"] == [{"namespace": "lake", "name": "/raw"}]
    assert job["outputs"] == [{"namespace": "lake", "name": "/gold"}]
    assert job["createdAt"] == "2026-03-01T00:00:00Z"
    assert job["latestRun"]["state"] == "COMPLETED"
    assert job["latestRuns"] == [job["latestRun"]]
    assert read(client, "/namespaces/airflow/jobs/dag")["parentJobName"] is None


def test_the_newest_twenty_runs_of_the_design_s_query_come_by_the_full_name(
    client: httpx.Client, tell: Teller
) -> None:
    """`job_name='k8pod_simple_longrunning_dag.long_sleep' ORDER BY created_at DESC LIMIT 20`."""
    namespace, dag = "barren-spectroscope-7582", "k8pod_simple_longrunning_dag"
    runs = []
    for number in range(22):
        at = NOW + timedelta(minutes=number)
        parent = tell.run(dag, namespace=namespace, at=at)
        run = tell.run(f"{dag}.long_sleep", namespace=namespace, under=parent, at=at)
        runs.append(run[0])
    path = f"/namespaces/{namespace}/jobs/{dag}.long_sleep"
    page = read(client, f"{path}/runs?limit=20")
    assert [run["id"] for run in page["runs"]] == [*reversed(runs)][:20]
    assert page["totalCount"] == 22
    assert read(client, path)["simpleName"] == "long_sleep"


def test_a_job_s_facets_are_those_that_it_declared_and_its_newest_run_said(
    client: httpx.Client, tell: Teller
) -> None:
    declared = job_event("etl", job_type="JOB")
    declared["job"]["facets"] |= {
        "documentation": {"description": "Loads all of it."},
        "sourceCodeLocation": {"type": "git", "url": "https://example.org/etl.py"},
    }
    tell.tell(declared)
    event = run_event("etl")
    event["job"]["facets"] = {
        "sql": {"query": "SELECT 1", "size": 10**30},
        "jobType": {"processingType": "STREAMING"},
    }
    tell.tell(event)
    job = read(client, "/namespaces/default/jobs/etl")
    assert job["description"] == "Loads all of it."
    assert job["location"] == "https://example.org/etl.py"
    assert job["type"] == "STREAM"
    assert job["facets"]["sql"]["query"] == "SELECT 1"


def test_jobs_are_listed_by_fqn_a_page_at_a_time_with_their_total(
    serve: Serve, tell: Teller
) -> None:
    dag = tell.run("dag", namespace="airflow")
    tell.run("b", namespace="spark", under=dag)
    tell.run("a", namespace="airflow", under=dag)
    tell.run("alone", namespace="spark")
    client = serve()
    everything = read(client, "/jobs")
    assert names(everything) == ["alone", "dag", "dag.a", "dag.b"]
    assert everything["totalCount"] == 4
    page = read(client, "/jobs?limit=2&offset=1")
    assert (names(page), page["totalCount"]) == (["dag", "dag.a"], 4)
    assert read(client, "/jobs?limit=0") == {"jobs": [], "totalCount": 4}
    airflow = read(client, "/namespaces/airflow/jobs?limit=1&offset=2")
    assert (names(airflow), airflow["totalCount"]) == (["dag.b"], 3)
    assert names(read(client, "/namespaces/spark/jobs")) == ["alone"]
    own = read(serve(inherit_namespace=False), "/namespaces/spark/jobs")
    assert (names(own), own["totalCount"]) == (["alone", "dag.b"], 2)


def test_children_and_descendants_of_jobs_and_runs(client: httpx.Client, tell: Teller) -> None:
    dag = tell.run("dag", at=NOW)
    for number, task in enumerate(("z", "y")):
        above = tell.run(task, under=dag, at=NOW + timedelta(minutes=number))
        tell.run("app", under=above, at=NOW + timedelta(hours=1, minutes=number))
    children = read(client, "/namespaces/default/jobs/dag/children")
    assert (names(children), children["totalCount"]) == (["dag.y", "dag.z"], 2)
    below = read(client, "/namespaces/default/jobs/dag/descendants?limit=3")
    assert (names(below), below["totalCount"]) == (["dag.y", "dag.z", "dag.y.app"], 4)
    runs = read(client, f"/jobs/runs/{dag[0]}/children")
    assert [run["job"]["name"] for run in runs["runs"]] == ["dag.z", "dag.y"]
    assert {run["parentRunId"] for run in runs["runs"]} == {dag[0]}
    below = read(client, f"/jobs/runs/{dag[0]}/descendants?offset=2")
    assert [run["job"]["name"] for run in below["runs"]] == ["dag.z.app", "dag.y.app"]
    assert below["totalCount"] == 4


def test_a_cycle_of_runs_is_no_endless_walk(client: httpx.Client, tell: Teller) -> None:
    ids = [new_id() for _ in range(3)]
    for n, run in enumerate(ids):
        tell.run(f"job{n}", run_id=run, under=(ids[n - 1], "default", f"job{(n - 1) % 3}"))
    below = read(client, f"/jobs/runs/{ids[0]}/descendants")
    assert {run["id"] for run in below["runs"]} == {ids[1], ids[2]}
    assert below["totalCount"] == 2


def test_the_runs_of_a_job_are_listed_newest_first(client: httpx.Client, tell: Teller) -> None:
    sent = [tell.run("job", at=NOW + timedelta(days=day))[0] for day in (1, 0, 2)]
    page = read(client, "/namespaces/default/jobs/job/runs?limit=2")
    assert [run["id"] for run in page["runs"]] == [sent[2], sent[0]]
    assert page["totalCount"] == 3
    assert read(client, "/namespaces/default/jobs/job/runs?offset=2")["runs"][0]["id"] == sent[1]


def test_a_run_has_its_times_state_arguments_facets_and_data(
    client: httpx.Client, tell: Teller
) -> None:
    run = new_id()
    tell.tell(run_event("job", "START", run_id=run, at=NOW))
    event = run_event("job", "FAIL", run_id=run, at=NOW + timedelta(seconds=90))
    event["run"]["facets"] = {
        "nominalTime": {"nominalStartTime": "2026-03-01T00:00:00Z"},
        "lineagegraph": {"params": {"month": 3, "mode": "full"}},
        "tags": {"tags": [{"key": "a", "value": "b"}]},
    }
    event["job"]["facets"] = {"sql": {"query": "SELECT 1"}}
    statistics = {"outputStatistics": {"rowCount": 7}}
    event["outputs"] = [{"namespace": "lake", "name": "/gold", "outputFacets": statistics}]
    tell.tell(event)
    found = read(client, f"/jobs/runs/{run.upper()}")
    assert found["id"] == run
    assert found["state"] == "FAILED"
    assert (found["startedAt"], found["endedAt"]) == (
        "2026-03-01T00:00:00Z",
        "2026-03-01T00:01:30Z",
    )
    assert found["durationMs"] == 90_000
    assert found["nominalStartTime"] == "2026-03-01T00:00:00Z"
    assert found["args"] == {"month": "3", "mode": "full"}
    assert found["facets"]["tags"] == {"tags": [{"key": "a", "value": "b"}]}
    (output,) = found["outputDatasetVersions"]
    assert output["datasetVersionId"]["name"] == "/gold"
    assert output["facets"] == {"outputStatistics": {"rowCount": 7}}
    assert read(client, "/namespaces/lake/datasets/%2Fgold")["currentVersion"] is None
    said = read(client, f"/jobs/runs/{run}/facets?type=job")
    assert said == {"runId": run, "facets": {"sql": {"query": "SELECT 1"}}}
    assert set(read(client, f"/jobs/runs/{run}/facets?type=RUN")["facets"]) == {
        "nominalTime",
        "tags",
    }


@pytest.mark.parametrize(
    ("sent", "state"),
    [(None, "NEW"), ("START", "RUNNING"), ("COMPLETE", "COMPLETED"), ("ABORT", "ABORTED")],
)
def test_states_are_marquez_s(
    client: httpx.Client, tell: Teller, sent: str | None, state: str
) -> None:
    run = new_id()
    if sent:
        tell.tell(run_event("job", sent, run_id=run))
    else:
        tell.run("child", under=(run, "default", "job"))
    assert read(client, f"/jobs/runs/{run}")["state"] == state


def test_twenty_regions_are_one_job_with_twenty_partitions(
    client: httpx.Client, tell: Teller
) -> None:
    regions = [f"R{n:02}" for n in range(20)]
    for day in range(2):
        for region in regions:
            event = run_event(
                "metrics",
                "FAIL" if (day, region) == (1, "R07") else "COMPLETE",
                at=NOW + timedelta(days=day),
            )
            event["run"]["facets"]["lineagegraph"] = {"partition": {"region": region}}
            tell.tell(event)
    assert read(client, "/jobs")["totalCount"] == 1
    page = read(client, "/namespaces/default/jobs/metrics/partitions")
    assert page["totalCount"] == 20
    assert [one["partition"] for one in page["partitions"]] == [{"region": r} for r in regions]
    states = {one["partition"]["region"]: one["state"] for one in page["partitions"]}
    assert states == dict.fromkeys(regions, "COMPLETED") | {"R07": "FAILED"}
    assert {one["latestRun"]["startedAt"] for one in page["partitions"]} == {"2026-03-02T00:00:00Z"}
    part = read(client, "/namespaces/default/jobs/metrics/partitions?limit=1&offset=7")
    assert (part["partitions"][0]["state"], part["totalCount"]) == ("FAILED", 20)


def test_datasets_are_listed_by_name_with_columns_and_facets(
    client: httpx.Client, tell: Teller
) -> None:
    schema = {"fields": [{"name": "id", "type": "int", "description": "the key"}, {"name": "n"}]}
    event = run_event("job", outputs=(("lake", "b"), ("lake", "a")))
    event["outputs"][0]["facets"] = {
        "schema": schema,
        "documentation": {"description": "All of b."},
        "dataSource": {"name": "the lake"},
    }
    tell.tell(event)
    page = read(client, "/namespaces/lake/datasets")
    assert (names(page, "datasets"), page["totalCount"]) == (["a", "b"], 2)
    dataset = read(client, "/namespaces/lake/datasets/b")
    assert dataset["id"] == {"namespace": "lake", "name": "b"}
    assert dataset["fields"] == [
        {"name": "id", "type": "int", "tags": [], "description": "the key"},
        {"name": "n", "type": None, "tags": [], "description": None},
    ]
    assert dataset["description"] == "All of b."
    assert dataset["sourceName"] == "the lake"
    assert dataset["facets"]["schema"] == schema
    assert client.get(V1 + "/namespaces/lake/datasets/c").status_code == 404


def test_namespaces_are_those_of_jobs_and_of_datasets(client: httpx.Client, tell: Teller) -> None:
    tell.run("job", namespace="b", outputs=("x",), at=NOW)
    tell.run("job", namespace="a", at=NOW)
    page = read(client, "/namespaces")
    assert (names(page, "namespaces"), page["totalCount"]) == (["a", "b", "lake"], 3)
    lake = read(client, "/namespaces/lake")
    assert lake["createdAt"] == lake["updatedAt"] == "2026-03-01T00:00:00Z"
    assert lake["ownerName"] == "anonymous"
    assert client.get(V1 + "/namespaces/c").status_code == 404
    assert client.get(V1 + "/namespaces/c/jobs").status_code == 404


def test_parameters_that_mean_nothing_are_refused(client: httpx.Client, tell: Teller) -> None:
    run, _, _ = tell.run("job")
    answers = {
        "/jobs/runs/nonsense": 400,
        f"/jobs/runs/{new_id()}": 404,
        f"/jobs/runs/{new_id()}/children": 404,
        f"/jobs/runs/{run}/facets": 400,
        f"/jobs/runs/{run}/facets?type=dataset": 400,
        "/jobs?limit=ten": 400,
        "/lineage": 400,
        "/lineage?nodeId=task:x": 400,
        "/lineage?nodeId=job:default": 404,
        "/lineage?nodeId=job:default:job&depth=-1": 400,
        "/lineage?nodeId=job:default:job&direction=sideways": 400,
        "/lineage?nodeId=job:default:job&view=all": 400,
        "/nothing": 404,
    }
    for url, status in answers.items():
        answer = client.get(V1 + url)
        assert answer.status_code == status, url
        assert "\n" not in answer.json()["error"]


def test_a_partition_that_is_written_by_hand_is_read_as_the_map_that_it_is(
    client: httpx.Client, graph: Graph, tell: Teller
) -> None:
    run, _, _ = tell.run("job")
    text = json.dumps({"region": "JP"})
    graph.query("MATCH (r:Run {id: $id}) SET r.partition = $p", {"id": run, "p": text}, write=True)
    (one,) = read(client, "/namespaces/default/jobs/job/partitions")["partitions"]
    assert one["partition"] == one["latestRun"]["partition"] == {"region": "JP"}


def test_facets_of_wrong_types_are_shown_as_they_are_and_mislead_nobody(
    client: httpx.Client, tell: Teller
) -> None:
    event = run_event("job")
    event["run"]["facets"] = {
        "lineagegraph": {
            "params": {"deep": {"a": [1]}, "big": 10**40},
            "version": 5,
            "attempt": "x",
        },
        "nominalTime": {"nominalStartTime": "soon", "nominalEndTime": 7},
        "odd": [1, 2],
    }
    event["job"]["facets"] = {"documentation": "none", "jobType": {"processingType": 1}}
    facets = {
        "schema": {"fields": [{"name": "a", "type": {"x": 1}}, {"name": 1}, "b"]},
        "documentation": {"description": 10**40},
        "dataSource": [],
    }
    event["outputs"] = [{"namespace": "lake", "name": "d", "facets": facets}]
    tell.tell(event)
    run = read(client, f"/jobs/runs/{event['run']['runId']}")
    assert run["args"] == {"deep": '{"a":[1]}', "big": str(10**40)}
    assert run["nominalStartTime"] is None
    job = read(client, "/namespaces/default/jobs/job")
    assert (job["description"], job["type"]) == (None, "BATCH")
    dataset = read(client, "/namespaces/lake/datasets/d")
    assert dataset["facets"] == facets
    assert (dataset["description"], dataset["sourceName"]) == (None, "default")
    read(client, "/lineage?nodeId=dataset:lake:d")


def test_jobs_are_listed_by_the_state_of_their_latest_run(
    client: httpx.Client, serve: Serve, tell: Teller
) -> None:
    dag = tell.run("dag", namespace="airflow", event_type="FAIL")
    tell.run("app", namespace="spark", under=dag, event_type="START")
    tell.run("alone", namespace="spark", event_type="FAIL", at=NOW)
    tell.run("alone", namespace="spark", event_type="COMPLETE")
    for query, expected in {
        "FAILED": ["dag"],
        "completed": ["alone"],
        "RUNNING,FAILED": ["dag", "dag.app"],
        "RUNNING&lastRunStates=COMPLETED": ["alone", "dag.app"],
        "NEW": [],
        "": ["alone", "dag", "dag.app"],
    }.items():
        page = read(client, f"/jobs?lastRunStates={query}")
        assert (names(page), page["totalCount"]) == (expected, len(expected))
    page = read(client, "/namespaces/airflow/jobs?lastRunStates=FAILED,RUNNING&limit=1&offset=1")
    assert (names(page), page["totalCount"]) == (["dag.app"], 2)
    own = serve(inherit_namespace=False)
    spark = read(own, "/namespaces/spark/jobs?lastRunStates=RUNNING,COMPLETED")
    assert names(spark) == ["alone", "dag.app"]
    assert client.get(f"{V1}/jobs?lastRunStates=ODD").status_code == 400
