"""A token does what its roles allow, in the namespaces that they cover."""

from typing import Any

import httpx2 as httpx

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.ids import new_id
from tests.acceptance.access.conftest import Admit
from tests.events import run_event

EVENT, BATCH = "/api/v1/lineage", "/api/v1/lineage/batch"


def lacks(answer: httpx.Response, role: str, where: str) -> bool:
    said = answer.json()["error"]
    return answer.status_code == 403 and f"no role '{role}' on {where}" in said


def know(graph: Graph, event: dict[str, Any]) -> None:
    graph.write(record, extract([event]))


def test_a_reader_reads_and_does_nothing_else(admit: Admit) -> None:
    client = admit(read="*")
    assert client.get("/api/v1/namespaces").status_code == 200
    assert lacks(client.post(EVENT, json=run_event("load")), "write", "all namespaces")
    put = client.put("/api/v1/namespaces/shop", json={"ownerName": "me"})
    assert lacks(put, "write", "namespace 'shop'")
    assert lacks(client.delete("/api/v1/namespaces/shop"), "write", "namespace 'shop'")


def test_a_writer_writes_and_reads_nothing(admit: Admit) -> None:
    client = admit(write="*")
    assert client.post(EVENT, json=run_event("load")).status_code == 201
    assert lacks(client.get("/api/v1/jobs"), "read", "all namespaces")


def test_a_reader_of_one_namespace_reads_that_one(admit: Admit, graph: Graph) -> None:
    for namespace in ("shop", "shop/eu", "bank"):
        know(graph, run_event("load", namespace=namespace))
    client = admit(read="shop shop/eu")
    for tail in ("", "/jobs", "/jobs/load", "/jobs/load/runs", "/datasets"):
        assert client.get(f"/api/v1/namespaces/shop{tail}").status_code == 200
        assert client.get(f"/api/v1/namespaces/shop%2Feu{tail}").status_code == 200
        for other in ("bank", "b%61nk", "shop%2F..%2Fbank", "shop%20", "*"):
            assert client.get(f"/api/v1/namespaces/{other}{tail}").status_code == 403, other
    assert lacks(client.get("/api/v1/jobs"), "read", "all namespaces")


def test_a_reader_of_one_namespace_finds_nothing_by_text_tag_or_owner_in_another(
    admit: Admit, graph: Graph
) -> None:
    for namespace in ("shop", "bank"):
        event = run_event(f"load_{namespace}", namespace=namespace)
        owner, secret = {"name": "team:pay"}, {"description": f"secret of {namespace}"}
        event["job"]["facets"] |= {"ownership": {"owners": [owner]}, "documentation": secret}
        know(graph, event)
    client = admit(read="shop")
    listed = client.get("/api/v1/namespaces/shop/jobs?owner=team:pay").json()
    assert ([one["name"] for one in listed["jobs"]], listed["totalCount"]) == (["load_shop"], 1)
    asked = [
        *(f"/search?q={text}" for text in ("secret", "nothing", "bank&namespace=bank")),
        *("/jobs?owner=team:pay", "/datasets", "/datasets?owner=team:pay&tag=PII"),
        *(f"/lineage?nodeId=namespace:{name}" for name in ("shop", "bank", "none")),
        "/namespaces/bank/jobs?owner=team:pay",
        "/namespaces/bank/datasets?owner=team:pay",
    ]
    refused = [client.get(f"/api/v1{path}") for path in asked]
    assert {answer.status_code for answer in refused} == {403}
    assert len({answer.text for answer in refused[:-2]}) == 1
    assert not any("secret" in answer.text or "load" in answer.text for answer in refused)


def test_a_writer_of_one_namespace_sends_events_of_its_jobs_and_datasets(admit: Admit) -> None:
    client = admit(write="shop")
    shop, bank = (run_event("load", namespace=name) for name in ("shop", "bank"))
    assert client.post(EVENT, json=shop).status_code == 201
    assert lacks(client.post(EVENT, json=bank), "write", "namespace 'bank'")
    about = {"eventTime": shop["eventTime"], "producer": "p", "schemaURL": "s"}
    for namespace, status in (("shop", 201), ("bank", 403)):
        dataset = about | {"dataset": {"namespace": namespace, "name": "t"}, "job": None}
        assert client.post(EVENT, json=dataset).status_code == status
        job = about | {"job": {"namespace": namespace, "name": "j"}}
        job["dataset"] = {"namespace": "shop", "name": "t"}
        assert client.post(EVENT, json=job).status_code == status


def test_each_event_of_a_batch_is_judged_for_itself(admit: Admit, graph: Graph) -> None:
    client = admit(write="shop")
    batch = [run_event("load", namespace=name) for name in ("bank", "shop", "shop", "bank")]
    answer = client.post(BATCH, json=[*batch, 7]).json()
    assert answer["summary"]["successful"] == 2
    assert [one["index"] for one in answer["failed_events"]] == [0, 3, 4]
    assert "'bank'" in answer["failed_events"][0]["reason"]
    assert answer["failed_events"][0]["retriable"] is False
    assert graph.query("MATCH (r:Run) RETURN DISTINCT r.namespace AS n") == [{"n": "shop"}]


def test_nobody_ends_a_run_of_a_namespace_that_is_not_theirs(admit: Admit, graph: Graph) -> None:
    run_id = new_id()
    know(graph, run_event("pay", "START", namespace="bank", run_id=run_id))
    client = admit(write="shop")
    feigned = run_event("pay", "COMPLETE", namespace="shop", run_id=run_id.upper())
    assert lacks(client.post(EVENT, json=feigned), "write", "namespace 'bank'")
    ended = client.post(f"/api/v1/jobs/runs/{run_id}/complete")
    assert lacks(ended, "write", "namespace 'bank'")
    (found,) = graph.query("MATCH (r:Run) RETURN r.state AS state, r.namespace AS namespace")
    assert found == {"state": "RUNNING", "namespace": "bank"}


def test_a_job_is_created_where_its_namespace_may_be_written(admit: Admit) -> None:
    client = admit(write="shop", read="shop")
    body = {"type": "BATCH", "inputs": [], "outputs": []}
    assert client.put("/api/v1/namespaces/shop", json={"ownerName": "me"}).status_code == 200
    assert client.put("/api/v1/namespaces/shop/jobs/load", json=body).status_code == 200
    made = client.post("/api/v1/namespaces/shop/jobs/load/runs", json={})
    assert made.status_code == 201
    mark = f"/api/v1/jobs/runs/{made.json()['id']}/start"
    assert client.post(mark).status_code == 200
    refused = client.put("/api/v1/namespaces/bank/jobs/load", json=body)
    assert lacks(refused, "write", "namespace 'bank'")


def test_a_path_that_is_no_text_is_refused(admit: Admit) -> None:
    assert admit(read="shop").get("/api/v1/namespaces/%ff/jobs").status_code == 400
