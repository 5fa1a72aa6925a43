"""Programs that are started, listed and stopped as in CDAP."""

import time
from typing import Any
from uuid import uuid4

import httpx2 as httpx

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from tests.acceptance.schedules.conftest import APP, Admit
from tests.events import run_event
from tests.launches import claimed

REPORT = f"{APP}/workflows/report"


def ids(client: httpx.Client, path: str = f"{REPORT}/runs", **asked: Any) -> list[str]:
    answer = client.get(path, params=asked)
    assert answer.status_code == 200, answer.text
    return [one["runid"] for one in answer.json()]


def test_a_program_is_started_listed_by_status_and_time_and_stopped(
    client: httpx.Client, projects: Graph
) -> None:
    assert client.get(f"{REPORT}/status").json() == {"status": "STOPPED"}
    before = int(time.time())
    first = client.post(f"{REPORT}/start", json={"month": "2"})
    assert first.status_code == 200
    queued, other = first.json()["runId"], client.post(f"{REPORT}/start").json()["runId"]
    assert client.get(f"{REPORT}/status").json() == {"status": "STARTING"}
    (found,) = [one for one in client.get(f"{REPORT}/runs").json() if one["runid"] == queued]
    assert before <= found.pop("starting") <= time.time()
    runtime = {"runtimeArgs": '{"month":2}'}
    assert found == {"runid": queued, "status": "PENDING", "properties": runtime}

    claimed(projects, other)
    projects.write(record, extract([run_event("report", "START", run_id=other)]))
    assert client.get(f"{REPORT}/status").json() == {"status": "RUNNING"}
    assert ids(client, status="RUNNING") == [other]
    assert ids(client, status="pending") == [queued]
    assert ids(client) == ids(client, status="all") == [other, queued]
    assert ids(client, limit=1) == ids(client, start=before, limit=1) == [other]
    assert ids(client, end=before) == ids(client, start=before + 3600) == []
    assert ids(client, status="suspended") == []

    assert client.post(f"{REPORT}/runs/{queued}/stop").status_code == 200
    assert client.get(f"{REPORT}/runs/{queued}").json()["status"] == "KILLED"
    assert client.post(f"{REPORT}/runs/{queued}/stop").status_code == 400
    assert client.post(f"{REPORT}/stop").status_code == 200
    rows = projects.query(
        "MATCH (r:Run {id: $id}) RETURN r.cancel_requested AS asked", {"id": other}
    )
    assert rows == [{"asked": True}]
    projects.write(record, extract([run_event("report", "ABORT", run_id=other)]))
    projects.query("MATCH (r:Run {id: $id}) REMOVE r.launch", {"id": other}, write=True)
    assert client.get(f"{REPORT}/status").json() == {"status": "STOPPED"}
    refused = client.post(f"{REPORT}/stop")
    assert (refused.status_code, refused.json()["error"]) == (400, "report is not running")


def test_a_version_in_the_path_is_that_of_the_runs(client: httpx.Client, projects: Graph) -> None:
    run = client.post(f"{REPORT}/start").json()["runId"]
    (version,) = projects.query(
        "MATCH (:Job {fqn: 'report'})-[:HAS_VERSION]->(v) RETURN v.hash AS hash"
    )
    here = f"{APP}/versions/{version['hash']}/workflows/report"
    current = f"{APP}/versions/-SNAPSHOT/workflows/report"
    assert ids(client, f"{here}/runs") == []
    assert ids(client, f"{current}/runs") == [run]
    projects.query("MATCH (r:Run) SET r.job_version = $hash", version, write=True)
    assert ids(client, f"{here}/runs") == [run]
    # The files of this version were never stored.
    missing = client.post(f"{here}/start")
    assert (missing.status_code, "cannot run" in missing.json()["error"]) == (400, True)
    assert client.post(f"{APP}/versions/beef/workflows/report/start").status_code == 404


def test_wrong_requests_are_refused_as_in_cdap(client: httpx.Client, projects: Graph) -> None:
    for answer, status in (
        (client.post(f"{REPORT}/start", json={"week": 1}), 400),
        (client.post(f"{REPORT}/start", json=["month"]), 400),
        (client.post(f"{APP}/workflows/none/start"), 404),
        (client.post("/v3/namespaces/default/apps/none/workflows/report/start"), 404),
        (client.post(f"{REPORT}/runs/{uuid4()}/stop"), 404),
        (client.get(f"{REPORT}/runs/{uuid4()}"), 404),
        (client.get(f"{REPORT}/runs/7"), 400),
        (client.get(f"{REPORT}/runs", params={"status": "odd"}), 400),
        (client.get(f"{REPORT}/runs", params={"start": "monday"}), 400),
    ):
        assert answer.status_code == status, answer.text
    assert projects.query("MATCH (r:Run) RETURN r.id") == []


def test_a_key_starts_one_run_and_who_only_reads_or_writes_starts_none(
    admitted: Admit, projects: Graph
) -> None:
    ops, other = admitted("ops", operate="default"), admitted("other", read="*", write="*")
    assert other.post(f"{REPORT}/start").status_code == 403
    keyed = {"Idempotency-Key": "k"}
    runs = {ops.post(f"{REPORT}/start", headers=keyed).json()["runId"] for _ in range(3)}
    assert len(runs) == 1
    gone = "MATCH (j:Job {fqn: 'report'}) SET j.withdrawn_at = datetime.realtime()"
    projects.query(gone, write=True)
    again = ops.post(f"{REPORT}/start", headers=keyed)
    assert (again.status_code, {again.json()["runId"]}) == (200, runs)
    assert ops.post(f"{REPORT}/start", headers={"Idempotency-Key": "l"}).status_code == 404
    projects.query("MATCH (j:Job) REMOVE j.withdrawn_at", write=True)
    assert ops.post(f"{REPORT}/start", headers=keyed, json={"month": 3}).status_code == 409
    assert other.post(f"{REPORT}/stop").status_code == 403
    assert other.get(f"{REPORT}/status").json() == {"status": "STARTING"}
    assert ops.get(f"{REPORT}/status").status_code == 403
    assert ops.post(f"{REPORT}/stop").status_code == 200
