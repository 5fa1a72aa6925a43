"""Events over HTTP: what is acknowledged is in the graph, and can be read back as it was sent."""

import gzip
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.outbox.routes import Route
from tests.acceptance.ingestion.conftest import Serve
from tests.events import run_event

AT = datetime(2026, 1, 1, tzinfo=UTC)
BASE = {"_producer": "https://example.org", "_schemaURL": "https://example.org/facet.json"}
SCHEMA = BASE | {"fields": [{"name": "a", "type": "int"}]}
RUN = run_event("job", at=AT, outputs=(("file", "/out"),))
JOB = {
    "eventTime": AT.isoformat(),
    "job": {"namespace": "default", "name": "declared", "facets": {"sql": BASE | {"query": "x"}}},
    "inputs": [{"namespace": "file", "name": "/in", "facets": {"schema": SCHEMA}}],
}
DATASET = {
    "eventTime": AT.isoformat(),
    "dataset": {"namespace": "file", "name": "/static", "facets": {"schema": SCHEMA}},
}
AWKWARD: dict[str, Any] = {
    "eventTime": "2026-01-01T01:02:03.456789+05:30",
    "eventType": None,
    "somethingElse": {"facets": {"inner": BASE}, "n": 2**80},
    "run": {
        "runId": "0199AAAA-0000-7000-8000-000000000000",
        "facets": {
            "numbers": BASE | {"big": 2**70, "small": -(2**70), "float": 1.0, "tiny": 5e-324},
            "texts": BASE | {"nul": "a\0b", "emoji": "😀", "line": "\u2028", "": "empty name"},
            "deep": BASE | {"facets": {"facets": {"a": [[[[[[[[[[1]]]]]]]]]]}}},
            "gone": {"_deleted": True},
            "none": None,
        },
    },
    "job": {"namespace": "ns/with spaces", "name": "na.me/ü%2F\0", "facets": None},
    "inputs": None,
    "outputs": [{"namespace": "file", "name": "/out", "outputFacets": {"x": BASE}}],
}


def test_a_failure_that_is_posted_is_told_by_the_routes_of_the_settings(
    serve: Serve, graph: Graph
) -> None:
    client = serve(notify=(Route(on=("failed",), to="log:", name="ops"),))
    post(client, run_event("load", "FAIL")).raise_for_status()
    (told,) = graph.query("MATCH (n:Notification) RETURN n.channel AS channel, n.job AS job")
    assert told == {"channel": "ops", "job": "load"}


def post(client: httpx.Client, event: Any) -> httpx.Response:
    return client.post("/api/v1/lineage", json=event)


def read_back(client: httpx.Client, **parameters: Any) -> Any:
    answer = client.get("/api/v1/events/lineage", params=parameters)
    assert answer.status_code == 200
    return answer.json()


@pytest.mark.parametrize("event", [RUN, JOB, DATASET, AWKWARD], ids=["run", "job", "data", "odd"])
def test_an_event_is_read_back_as_it_was_sent(client: httpx.Client, event: Any) -> None:
    assert post(client, event).status_code == 201
    assert read_back(client) == {"events": [event], "totalCount": 1}


def test_an_event_that_comes_again_is_one(client: httpx.Client) -> None:
    assert [post(client, RUN).status_code for _ in range(3)] == [201] * 3
    assert read_back(client)["totalCount"] == 1


def test_gzip_is_taken(client: httpx.Client) -> None:
    packed = gzip.compress(httpx.Request("POST", "http://x", json=RUN).content)
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    answer = client.post("/api/v1/lineage", content=packed, headers=headers)
    assert answer.status_code == 201
    assert read_back(client)["events"] == [RUN]


def test_events_are_listed_by_time_in_pages_with_the_exact_total(client: httpx.Client) -> None:
    events = [run_event("job", at=AT + timedelta(minutes=n)) for n in range(7)]
    assert client.post("/api/v1/lineage/batch", json=events).status_code == 200
    pages = [read_back(client, limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert [page["events"] for page in pages] == [events[:3:-1], events[3:0:-1], events[:1], []]
    assert {page["totalCount"] for page in pages} == {7}
    oldest = read_back(client, limit=2, sortDirection="asc")
    assert oldest == {"events": events[:2], "totalCount": 7}
    span = {"after": events[2]["eventTime"], "before": events[5]["eventTime"]}
    assert read_back(client, **span) == {"events": events[4:1:-1], "totalCount": 3}
    assert read_back(client, limit=0) == {"events": [], "totalCount": 7}


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "-1"},
        {"limit": "x"},
        {"limit": "1" * 30},
        {"offset": "1.5"},
        {"offset": "٣"},
        {"before": "yesterday"},
        {"after": "0001-01-01T00:00:00+14:00"},
        {"sortDirection": "up"},
    ],
)
def test_a_bad_parameter_is_named(client: httpx.Client, query: dict[str, str]) -> None:
    answer = client.get("/api/v1/events/lineage", params=query)
    assert (answer.status_code, answer.json()["path"]) == (400, *query)


def test_a_facet_that_breaks_its_schema_is_kept_and_reported(client: httpx.Client) -> None:
    event = run_event("job") | {"inputs": [{"namespace": "f", "name": "/a", "facets": {}}]}
    event["inputs"][0]["facets"] = {"schema": BASE | {"fields": [{"type": "int"}]}}
    answer = post(client, event)
    (report,) = answer.json()["facets"]
    assert (answer.status_code, report["path"]) == (201, "$.inputs[0].facets.schema.fields[0]")
    assert read_back(client)["events"] == [event]


def test_strict_mode_refuses_a_facet_that_breaks_its_schema(serve: Serve, graph: Graph) -> None:
    client = serve(strict=True)
    event = run_event("job")
    event["job"]["facets"] = {"sql": BASE | {"query": 5}}
    answer = post(client, event)
    assert (answer.status_code, answer.json()["path"]) == (400, "$.job.facets.sql.query")
    event["job"]["facets"] = {"sql": {"_deleted": True}, "unknown": {"query": 5}}
    assert post(client, event).status_code == 201
    assert read_back(client)["totalCount"] == 1


def test_in_a_batch_each_event_fails_for_itself(client: httpx.Client) -> None:
    good = [run_event("job", at=AT + timedelta(minutes=n)) for n in range(3)]
    batch = [good[0], {"no": "event"}, good[1], 5, good[2]]
    answer = client.post("/api/v1/lineage/batch", json=batch)
    told = answer.json()
    assert (answer.status_code, told["status"]) == (200, "partial_success")
    counts = {"received": 5, "successful": 3, "failed": 2, "retriable": 0, "non_retriable": 2}
    assert told["summary"] == counts
    assert [(f["index"], f["retriable"]) for f in told["failed_events"]] == [(1, False), (3, False)]
    assert read_back(client, sortDirection="asc")["events"] == good


@pytest.mark.parametrize("count", [0, 1, 1201])
def test_a_batch_of_any_size_succeeds_as_a_whole(client: httpx.Client, count: int) -> None:
    batch = [run_event("job", at=AT + timedelta(seconds=n)) for n in range(count)]
    told = client.post("/api/v1/lineage/batch", json=batch).json()
    assert (told["status"], told["summary"]["successful"]) == ("success", count)
    assert read_back(client, limit=0)["totalCount"] == count
