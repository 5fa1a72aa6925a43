"""Runs that producers name in odd ways are taken, and the answer tells it."""

from typing import Any

import httpx2 as httpx

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from tests.acceptance.ingestion.conftest import Serve
from tests.events import run_event

SENT = "manual__2024-01-01T00:00:00+00:00"
BASE = {"_producer": "https://example.org", "_schemaURL": "https://example.org/facet.json"}
OWN, PARENT = "$.run.runId", "$.run.facets.parent.run.runId"
IDS = "MATCH (r:Run) RETURN r.name AS name, r.external_id AS sent, r.id AS id ORDER BY name"


def below(job: str, parent: tuple[str, str], **said: Any) -> dict[str, Any]:
    event = run_event(job, parent=parent, **said)
    event["run"]["facets"]["parent"] |= BASE
    return event


def post(client: httpx.Client, event: Any) -> list[dict[str, str]]:
    answer = client.post("/api/v1/lineage", json=event)
    assert answer.status_code == 201, answer.text
    reports: list[dict[str, str]] = answer.json()["facets"]
    return reports


def test_ids_that_are_no_uuids_are_taken_and_lead_to_one_run(
    client: httpx.Client, graph: Graph
) -> None:
    task = below("dag.task", (SENT, "dag"), run_id="task 7")
    assert [one["path"] for one in post(client, task)] == [OWN, PARENT]
    (report,) = post(client, run_event("dag", "START", run_id=SENT))
    dag, of_task = graph.query(IDS)
    assert (dag["sent"], of_task["sent"]) == (SENT, "task 7")
    assert (report["path"], dag["id"] in report["message"]) == (OWN, True)
    assert client.get(f"/api/v1/jobs/runs/{dag['id']}").json()["state"] == "RUNNING"
    children = client.get(f"/api/v1/jobs/runs/{dag['id']}/children").json()["runs"]
    assert [run["id"] for run in children] == [of_task["id"]]
    kept = client.get("/api/v1/events/lineage").json()["events"]
    assert {event["run"]["runId"] for event in kept} == {SENT, "task 7"}


def test_a_run_that_names_itself_as_its_parent_is_taken_without_one(
    client: httpx.Client, graph: Graph
) -> None:
    for id_ in (new_id(), SENT):
        event = below("flink", (id_, "flink"), run_id=id_)
        assert "own parent" in post(client, event)[-1]["message"]
    batch = client.post("/api/v1/lineage/batch", json=[event]).json()
    assert [(one["index"], one["path"]) for one in batch["facets"]] == [
        (0, OWN),
        (0, PARENT),
        (0, PARENT),
    ]
    assert graph.query("MATCH (:Run)-[p:PARENT_OF]->() RETURN count(p) AS n") == [{"n": 0}]
    assert [job["n"] for job in graph.query("MATCH (j:Job) RETURN count(j) AS n")] == [1]


def test_an_event_with_an_invalid_parent_is_taken_without_that_reference(
    client: httpx.Client, graph: Graph
) -> None:
    dag: dict[str, Any] = {"run": {"runId": new_id()}, "job": {"namespace": "ns", "name": "dag"}}
    long, facet = "x" * 2001, "$.run.facets.parent"
    for parent, path in (
        ("text", f"{facet}.run.runId"),
        (dag | {"run": {}}, f"{facet}.run.runId"),
        (dag | {"run": {"runId": long}}, f"{facet}.run.runId"),
        (dag | {"job": []}, f"{facet}.job"),
        (dag | {"job": {"namespace": 1, "name": "x"}}, f"{facet}.job.namespace"),
        (dag | {"job": {"namespace": "x", "name": long}}, f"{facet}.job.name"),
    ):
        event = run_event("job")
        event["run"]["facets"]["parent"] = parent
        reports = post(client, event)
        assert path in [one["path"] for one in reports if "is left out" in one["message"]]
    assert graph.query("MATCH (:Run)-[p:PARENT_OF]->() RETURN count(p) AS n") == [{"n": 0}]
    for parent in (dag | {"root": {"run": 1}}, {"run": 1, "root": dag}):
        event = run_event("job")
        event["run"]["facets"]["parent"] = parent
        assert post(client, event)
    children = client.get(f"/api/v1/jobs/runs/{dag['run']['runId']}/children").json()
    assert children["totalCount"] == 2
    event["run"]["facets"]["parent"] = {"_deleted": True}
    assert post(client, event | {"eventType": "RUNNING"}) == []


def test_the_event_that_closes_a_cycle_of_parents_is_told_so(client: httpx.Client) -> None:
    one, two, three = (new_id() for _ in range(3))
    last = below("a", (three, "c"), run_id=one)
    assert post(client, below("b", (one, "a"), run_id=two)) == []
    assert post(client, below("c", (two, "b"), run_id=three)) == []
    (report,) = post(client, last)
    assert (report["path"], "cycle" in report["message"]) == (PARENT, True)
    assert post(client, last | {"eventType": "RUNNING"}) == []
    listed = client.get("/api/v1/runs/parent-cycles").json()
    (cycle,) = listed["parentCycles"]
    assert listed["totalCount"] == 1
    assert {run["id"]: run["parentRunId"] for run in cycle["runs"]} == {
        one: three,
        two: one,
        three: two,
    }
    assert client.get("/api/v1/runs/parent-cycles?offset=1").json()["parentCycles"] == []
    for path in (
        f"jobs/runs/{one}",
        f"jobs/runs/{one}/descendants",
        f"jobs/runs/{one}/facets?type=run",
    ):
        assert client.get(f"/api/v1/{path}").status_code == 200
    for name in "abc":
        assert client.get(f"/api/v1/namespaces/default/jobs/{name}").status_code == 200


def test_all_faults_of_an_event_are_listed(client: httpx.Client) -> None:
    event = run_event("job", run_id=SENT)
    event["job"]["facets"] = {"sql": BASE | {"query": 5}}
    schema = BASE | {"fields": [{"name": 1}, {"name": "b", "type": 2}]}
    event["outputs"] = [{"namespace": "f", "name": "/a", "facets": {"schema": schema}}]
    fields = "$.outputs[0].facets.schema.fields"
    assert [one["path"] for one in post(client, event)] == [
        OWN,
        "$.job.facets.sql.query",
        f"{fields}[0].name",
        f"{fields}[1].type",
    ]


def test_the_strict_mode_refuses_odd_runs(serve: Serve) -> None:
    strict = serve(strict=True)
    own = new_id()
    for event, path in (
        (run_event("job", run_id=SENT), OWN),
        (below("job", (SENT, "dag")), PARENT),
        (below("job", (own, "job"), run_id=own), PARENT),
        (below("job", (new_id(), "")), "$.run.facets.parent.job.name"),
    ):
        answer = strict.post("/api/v1/lineage", json=event)
        assert (answer.status_code, answer.json()["path"]) == (400, path)
