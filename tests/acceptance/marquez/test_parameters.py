"""Parameters in queries select what they name; unknown ones are refused."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.http.openapi import OPERATIONS
from lineagegraph.model.runs.ids import new_id
from tests.acceptance.marquez.conftest import Teller
from tests.events import run_event

NOW = datetime(2026, 3, 1, tzinfo=UTC)
V1 = "/api/v1"
RUNS = f"{V1}/namespaces/default/jobs/etl/runs"


def read(client: httpx.Client, path: str, **query: Any) -> Any:
    answer = client.get(path, params=query or None)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_runs_of_a_job_are_selected_by_state(client: httpx.Client, tell: Teller) -> None:
    ends = ("COMPLETE", "FAIL", "ABORT", "FAIL")
    ids = []
    for day, end in enumerate(ends):
        ids.append(new_id())
        tell.tell(run_event("etl", end, run_id=ids[-1], at=NOW + timedelta(days=day)))
    failed = read(client, RUNS, state="FAILED")
    assert [run["id"] for run in failed["runs"]] == [ids[3], ids[1]]
    assert failed["totalCount"] == 2
    page = read(client, RUNS, state=["failed", "ABORTED"], limit=1, offset=1)
    assert ([run["id"] for run in page["runs"]], page["totalCount"]) == ([ids[2]], 3)
    assert read(client, RUNS, state="NEW")["totalCount"] == 0
    refused = client.get(RUNS, params={"state": "BROKEN"})
    known = "NEW, RUNNING, COMPLETED, FAILED, ABORTED"
    assert refused.json() == {"error": f"state must be one of {known}", "path": "state"}


def test_the_runs_of_all_jobs_are_selected_by_state_and_time(
    client: httpx.Client, tell: Teller
) -> None:
    ids = [new_id() for _ in range(4)]
    ends = ("COMPLETE", "FAIL", "ABORT", "FAIL")
    for day, (id_, end) in enumerate(zip(ids, ends, strict=True)):
        tell.tell(run_event(f"etl{day % 2}", end, run_id=id_, at=NOW + timedelta(days=day)))
    path, days = f"{V1}/runs", [(NOW + timedelta(days=n)).isoformat() for n in range(4)]
    for query, wanted, total in (
        ({}, ids[::-1], 4),
        ({"state": "FAILED"}, [ids[3], ids[1]], 2),
        ({"state": ["failed", "ABORTED"], "limit": 1, "offset": 1}, [ids[2]], 3),
        ({"since": days[1], "until": days[3]}, [ids[2], ids[1]], 2),
        ({"since": days[2], "state": "FAILED"}, [ids[3]], 1),
    ):
        found = read(client, path, **query)
        assert ([run["id"] for run in found["runs"]], found["totalCount"]) == (wanted, total)
    refused = client.get(path, params={"state": "BROKEN"})
    assert (refused.status_code, refused.json()["path"]) == (400, "state")
    assert client.get(path, params={"since": "yesterday"}).status_code == 400
    assert client.delete(f"{V1}/namespaces/default/jobs/etl1").status_code == 200
    assert [run["id"] for run in read(client, path)["runs"]] == [ids[2], ids[0]]


def test_the_time_of_an_event_is_up_to_that_time_also_with_nanoseconds(
    client: httpx.Client,
) -> None:
    at = "2026-01-05T12:00:00.123456789Z"
    event = run_event("load", outputs=(("lake", "orders"),)) | {"eventTime": at}
    assert client.post("/api/v1/lineage", json=event).status_code == 201
    for node in ("job:default:load", "dataset:lake:orders"):
        seen = client.get("/api/v1/lineage", params={"nodeId": node, "at": at})
        assert (seen.status_code, len(seen.json().get("graph", []))) == (200, 2)
    assert client.get("/api/v1/runs", params={"until": at}).json()["runs"] == []
    assert len(client.get("/api/v1/runs", params={"since": at}).json()["runs"]) == 1


def test_a_run_whose_start_is_dated_after_its_end_took_no_time(
    client: httpx.Client, tell: Teller
) -> None:
    run_id, noon = new_id(), datetime(2026, 1, 5, 12, tzinfo=UTC)
    tell.run("load", run_id=run_id, event_type="COMPLETE", at=noon)
    tell.run("load", run_id=run_id, event_type="START", at=noon + timedelta(seconds=5))
    run = client.get(f"/api/v1/jobs/runs/{run_id}").json()
    assert (run["state"], run["durationMs"]) == ("COMPLETED", 0)


def test_events_are_selected_by_run(client: httpx.Client, tell: Teller) -> None:
    run, other = new_id(), new_id()
    for hour, (type_, id_) in enumerate([("START", run), ("START", other), ("COMPLETE", run)]):
        tell.tell(run_event("etl", type_, run_id=id_, at=NOW + timedelta(hours=hour)))
    for path in (f"{V1}/events/lineage", f"{V1}/events"):
        found = read(client, path, runId=run.upper())
        assert [one["eventType"] for one in found["events"]] == ["COMPLETE", "START"]
        assert {one["run"]["runId"] for one in found["events"]} == {run}
        assert found["totalCount"] == 2
    until = (NOW + timedelta(hours=1)).isoformat()
    first = read(client, f"{V1}/events/lineage", runId=run, before=until, sortDirection="asc")
    assert ([one["eventType"] for one in first["events"]], first["totalCount"]) == (["START"], 1)
    assert read(client, f"{V1}/events/lineage", runId=new_id())["totalCount"] == 0
    assert client.get(f"{V1}/events/lineage?runId=x").status_code == 400


def test_datasets_and_jobs_are_selected_by_tags_of_users_and_of_facets(
    client: httpx.Client, tell: Teller
) -> None:
    event = run_event("etl", outputs=(("lake", "a"), ("lake", "b"), ("lake", "c")))
    tags = {"tags": {"tags": [{"key": "GOLD"}, {"key": "tier", "value": 1}]}}
    event["outputs"][0]["facets"] = tags
    event["outputs"][1]["facets"] = {"tags": {"tags": [{"key": "GOLD", "field": "id"}]}}
    event["job"]["facets"] = tags
    tell.tell(event)
    tell.run("other")
    assert client.post(f"{V1}/namespaces/lake/datasets/c/tags/GOLD").status_code == 200
    assert client.post(f"{V1}/namespaces/default/jobs/other/tags/GOLD").status_code == 200
    for path, what, names in (
        (f"{V1}/namespaces/lake/datasets", "datasets", ["a", "c"]),
        (f"{V1}/namespaces/default/jobs", "jobs", ["etl", "other"]),
        (f"{V1}/jobs", "jobs", ["etl", "other"]),
    ):
        found = read(client, path, tag="GOLD")
        assert ([one["name"] for one in found[what]], found["totalCount"]) == (names, 2)
        page = read(client, path, tag="GOLD", limit=1, offset=1)
        assert ([one["name"] for one in page[what]], page["totalCount"]) == (names[1:], 2)
        assert [one["name"] for one in read(client, path, tag="tier:1")[what]] == names[:1]
        assert read(client, path, tag="SILVER")["totalCount"] == 0
    both = read(client, f"{V1}/jobs", tag="GOLD", lastRunStates="FAILED")
    assert both == {"jobs": [], "totalCount": 0}


def test_a_tag_without_a_text_as_key_hides_no_other(client: httpx.Client, tell: Teller) -> None:
    event = run_event("etl", outputs=(("lake", "a"),))
    odd: list[Any] = [{"key": 7}, "GOLD", {"value": "x"}, {"key": "n", "value": 1.5}, {"key": "y"}]
    event["outputs"][0]["facets"] = {"tags": {"tags": [*odd, {"key": "z", "value": True}]}}
    tell.tell(event)
    assert read(client, f"{V1}/namespaces/lake/datasets/a")["tags"] == ["n:1.5", "y", "z"]


@pytest.mark.parametrize(
    ("method", "path", "error"),
    [
        (
            "GET",
            "/jobs?lmit=5",
            "'lmit' (did you mean limit?): known are lastRunStates, tag, owner, limit",
        ),
        ("GET", "/namespaces/default?limit=5", "'limit': there are none here"),
        ("HEAD", "/namespaces/default/jobs/etl/runs?status=FAILED", None),
        ("GET", "/namespaces/default/jobs/etl/runs?x", "'x': known are uuid, state, limit, offset"),
        ("PUT", "/tags/GOLD?limit=1", "'limit': there are none here"),
        ("GET", "/stats/jobs?period=DAY&timeZone=UTC", "'timeZone' (did you mean timezone?)"),
    ],
)
def test_an_unknown_parameter_is_refused_with_the_known_names(
    client: httpx.Client, tell: Teller, method: str, path: str, error: str | None
) -> None:
    tell.run("etl")
    refused = client.request(method, V1 + path, json={})
    assert refused.status_code == 400
    assert not error or refused.json()["error"].startswith(f"unknown parameter {error}")


def test_operations_that_take_any_parameter_select_nothing_by_parameters() -> None:
    assert {one.name for one in OPERATIONS if one.takes_any} == {
        *("getHealth", "getReady", "getMetrics", "getOpenApi", "getRunStateSchema"),
        *("postEvent", "postEvents"),
        "getLoginCallback",
    }


def test_events_with_parameters_for_a_gateway_are_taken(client: httpx.Client) -> None:
    sent = run_event("etl") | {"producer": "https://a.b", "schemaURL": "https://a.b/c"}
    assert client.post(f"{V1}/lineage?api-version=1", json=sent).status_code == 201
    assert client.get("/health?probe=1").status_code == 200
