"""Pipelines that are started, watched and cancelled over HTTP."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.admin.tokens import add_token
from lineagegraph.graph import Graph
from lineagegraph.model.access import Role
from lineagegraph.neo4j_server import ServerAddress
from tests.project import Project

PIPELINE = """
@lg.task
def load(day):
    print("loading", day)

clean = lg.command("clean", ["sh", "-c", "exit {code}"], after=load)
report = lg.command("report", ["true"], after=clean)
lg.pipeline("shop.daily", tasks=[load, clean, report], params={{"day": str, "limit": 10}})
"""
START = "/api/v1/namespaces/default/jobs/shop.daily/runs/start"
RUNS = "/api/v1/namespaces/default/jobs/shop.daily/runs"
DAY = {"params": {"day": "monday", "limit": "5"}}


@pytest.fixture
def project(graph: Graph, server: ServerAddress, tmp_path: Path) -> Project:
    found = Project(
        tmp_path / "project",
        graph,
        tmp_path,
        neo4j_uri=server.bolt,
        neo4j_user=server.user,
        neo4j_password=server.password,
    )
    found.state(PIPELINE.format(code=1))
    return found


def count_runs(graph: Graph) -> int:
    return len(graph.query("MATCH (r:Run) RETURN r.id AS id"))


def test_a_run_is_started_watched_and_read_with_the_states_and_logs_of_its_tasks(
    client: httpx.Client, project: Project
) -> None:
    started = client.post(START, json=DAY)
    assert started.status_code == 201, started.text
    run = started.json()
    assert run["url"] == started.headers["Location"] == f"/api/v1/jobs/runs/{run['runId']}/status"
    queued = client.get(run["url"]).json()
    assert (queued["state"], queued["isOver"]) == ("PENDING", False)
    assert [one["path"] for one in queued["tasks"]] == ["load", "clean", "report"]
    assert {one["state"] for one in queued["tasks"]} == {None}

    project.carry_out(run["runId"])
    found = client.get(run["url"]).json()
    assert (found["state"], found["isOver"], found["job"]["name"]) == ("FAILED", True, "shop.daily")
    states = {one["path"]: (one["state"], one["reason"]) for one in found["tasks"]}
    assert states["load"] == ("COMPLETED", None)
    assert states["clean"][0] == "FAILED"
    assert states["report"] == ("FAILED", "UPSTREAM_FAILED")
    assert "loading monday" in client.get(found["tasks"][0]["log"]).json()["text"]
    (listed,) = client.get(RUNS, params={"state": "FAILED"}).json()["runs"]
    assert (listed["id"], listed["args"]) == (run["runId"], {"day": "monday", "limit": "5"})
    again = client.post(
        f"/api/v1/jobs/runs/{run['runId']}/rerun", json={"policy": "latest", "fromFailed": True}
    )
    assert again.status_code == 201


def test_a_stored_version_and_a_part_of_the_tasks_can_be_started(
    client: httpx.Client, project: Project, graph: Graph
) -> None:
    (first,) = client.get("/api/v1/namespaces/default/jobs/shop.daily/versions").json()["versions"]
    hash_ = first["version"].replace("-", "")[:12]
    project.state(PIPELINE.format(code=0))
    body = DAY | {"version": hash_, "tasks": ["clean"]}
    run = client.post(START, json=body).json()["runId"]
    project.carry_out(run)
    found = client.get(f"/api/v1/jobs/runs/{run}/status").json()
    assert found["version"].startswith(hash_)
    assert [(one["path"], one["state"]) for one in found["tasks"]] == [
        ("load", None),
        ("clean", "FAILED"),
        ("report", None),
    ]
    current = client.post(START, json=DAY | {"tasks": ["clean"]}).json()["runId"]
    project.carry_out(current)
    assert client.get(f"/api/v1/jobs/runs/{current}/status").json()["state"] == "COMPLETED"


def test_a_repeated_start_of_a_version_that_cannot_run_any_more_finds_its_run(
    client: httpx.Client, project: Project, graph: Graph
) -> None:
    (first,) = client.get("/api/v1/namespaces/default/jobs/shop.daily/versions").json()["versions"]
    body = DAY | {"version": first["version"].replace("-", "")[:12]}
    key = {"Idempotency-Key": "monday"}
    started = client.post(START, json=body, headers=key)
    graph.query("MATCH (s:Source) SET s.archive = null", write=True)
    again = client.post(START, json=body, headers=key)
    assert (started.status_code, again.status_code) == (201, 200)
    assert again.json()["runId"] == started.json()["runId"]
    assert client.post(START, json=body).status_code == 400
    assert client.post(START, json=DAY, headers=key).status_code == 409


def test_the_same_request_with_a_key_starts_one_run_however_often_and_from_wherever_it_is_sent(
    client: httpx.Client, project: Project, graph: Graph
) -> None:
    def send(body: dict[str, Any], key: str = "monday") -> httpx.Response:
        return client.post(START, json=body, headers={"Idempotency-Key": key})

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, [DAY] * 8))
    assert sorted(one.status_code for one in answers) == [200] * 7 + [201]
    assert len({one.json()["runId"] for one in answers}) == count_runs(graph) == 1
    assert graph.query("MATCH (a:AuditEntry {action: 'run.start'}) RETURN count(a) AS n") == [
        {"n": 1}
    ]
    # Retries are answered when the pipeline is no longer what it was.
    (project.folder / "flows.py").unlink()
    project.state(PIPELINE.replace("shop.daily", "shop.nightly").format(code=1))
    assert send(DAY).status_code == 200
    assert send(DAY | {"tasks": ["load"]}).status_code == 409
    refused = send(DAY, "tuesday")
    assert (refused.status_code, "is gone since" in refused.text) == (409, True)
    assert client.post(START, json=DAY, headers={"Idempotency-Key": "a b"}).status_code == 400
    assert count_runs(graph) == 1


WRONG: list[tuple[dict[str, Any], int, str]] = [
    ({}, 400, "parameter day of shop.daily: missing"),
    ({"params": {"day": "x", "limit": "many"}}, 400, "parameter limit of shop.daily: expected"),
    ({"params": {"day": "x", "colour": 1}}, 400, "parameter colour of shop.daily: unknown"),
    (DAY | {"tasks": ["lod"]}, 400, "no task 'lod' (did you mean load?)"),
    (DAY | {"force": True}, 400, "is not a batch"),
    (DAY | {"version": "beef"}, 404, "has no version beef"),
    (DAY | {"version": "x"}, 400, "4 or more hex digits"),
    (DAY | {"colour": 1}, 400, "the body is not valid"),
]


def test_a_wrong_request_starts_nothing(
    client: httpx.Client, project: Project, graph: Graph
) -> None:
    for body, status, why in WRONG:
        answer = client.post(START, json=body)
        assert (answer.status_code, why in answer.json()["error"]) == (status, True), answer.text
    assert count_runs(graph) == 0


def test_a_queued_run_is_cancelled_and_one_that_is_over_is_not(
    client: httpx.Client, project: Project
) -> None:
    run = client.post(START, json=DAY).json()
    cancel = f"/api/v1/jobs/runs/{run['runId']}/cancel"
    assert client.post(cancel).json()["state"] == "KILLED"
    assert client.post(cancel).status_code == 409
    assert client.post(cancel.replace(run["runId"], "0" * 32)).status_code == 404


def test_starting_and_cancelling_need_operate_where_the_pipeline_is_and_watching_read(
    client: httpx.Client, project: Project, graph: Graph
) -> None:
    def admitted(name: str, **covers: str) -> dict[str, str]:
        roles = {Role(role): frozenset(names.split()) for role, names in covers.items()}
        return {"Authorization": f"Bearer {add_token(graph, name, roles)}"}

    ops = admitted("ops", operate="default")
    reader, other = admitted("reader", read="default", write="*"), admitted("other", read="other")
    assert client.post(START, json=DAY, headers=reader).status_code == 403
    run = client.post(START, json=DAY, headers=ops).json()
    path = f"/api/v1/jobs/runs/{run['runId']}"
    for tail in ("", "/status", "/log"):
        statuses = [
            client.get(path + tail, headers=one).status_code for one in (reader, ops, other)
        ]
        assert statuses == [200, 403, 403], tail
    assert client.post(f"{path}/cancel", headers=reader).status_code == 403
    mark = {"state": "COMPLETED", "reason": "loaded by hand"}
    assert client.post(f"{path}/mark", headers=reader, json=mark).status_code == 403
    assert client.post(f"{path}/unmark", headers=reader).status_code == 403
    assert client.post(f"{path}/acknowledge", headers=reader).status_code == 403
    note = {"note": "the file came twice"}
    assert client.post(f"{path}/annotate", headers=reader, json=note).status_code == 403
    assert client.post(f"{path}/cancel", headers=ops).status_code == 200
    foreign = {"Origin": "https://evil.example"}
    assert client.post(START, json=DAY, headers=foreign).status_code == 403
    assert count_runs(graph) == 1


def test_a_failed_run_is_marked_by_hand_and_unmarked_over_http(
    client: httpx.Client, project: Project
) -> None:
    run = client.post(START, json=DAY).json()
    mark = {"state": "COMPLETED", "reason": "loaded by hand", "author": "ann"}
    path = f"/api/v1/jobs/runs/{run['runId']}"
    assert client.post(f"{path}/mark", json=mark).status_code == 409, "it has not ended"
    project.carry_out(run["runId"])
    marked = client.post(f"{path}/mark", json=mark).json()
    assert (marked["state"], marked["reason"]) == ("COMPLETED", "MARKED")
    assert marked["mark"]["before"] == "FAILED"
    assert marked["mark"]["author"].startswith("ann by ")
    shown = client.get(path).json()
    assert (shown["state"], shown["mark"]["reason"]) == ("COMPLETED", "loaded by hand")
    task = client.get(f"{path}/status").json()["tasks"][1]["runId"]
    client.post(f"/api/v1/jobs/runs/{task}/mark", json=mark).raise_for_status()
    assert client.get(f"{path}/status").json()["tasks"][1]["mark"]["before"] == "FAILED"
    restored = client.post(f"{path}/unmark").json()
    assert (restored["state"], restored["mark"]) == ("FAILED", None)
    assert client.post(f"{path}/unmark").status_code == 409
    seen = client.post(f"{path}/acknowledge", json={"note": "the vendor was asked"}).json()
    assert seen["acknowledgement"]["note"] == "the vendor was asked"
    for note in ("the file came twice", "and a third time"):
        said = client.post(f"{path}/annotate", json={"note": note, "author": "ann"}).json()
    assert [one["text"] for one in said["notes"]] == ["the file came twice", "and a third time"]
    assert said["notes"][0]["author"].startswith("ann by ")
    assert client.post(f"{path}/annotate", json={"note": " "}).status_code == 409
