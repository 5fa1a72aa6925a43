"""Bad input is refused with its place, and nothing of it is written."""

import gzip
import json
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from tests.acceptance.ingestion.conftest import Serve
from tests.events import run_event

RUN_ID = "0199aaaa-0000-7000-8000-000000000000"
LONG = "n" * 8000


def changed(path: str, value: Any) -> dict[str, Any]:
    """An event with the value at a path changed."""
    event = run_event("job", run_id=RUN_ID, outputs=(("file", "/out"),))
    event["inputs"] = [{"namespace": "file", "name": "/in", "facets": {}}]
    *parents, last = [int(p) if p.isdigit() else p for p in path.split(".")]
    place: Any = event
    for parent in parents:
        place = place[parent]
    place[last] = value
    return event


# In UTC the first is before the year 1, the second after the year 9999.
NO_TIMES = ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"]


@pytest.mark.parametrize("time", NO_TIMES)
@pytest.mark.parametrize(
    ("method", "path", "body", "key"),
    [
        ("POST", "skips", {"job": "job", "reason": "r"}, "until"),
        ("PUT", "mutes/job", {"reason": "r"}, "until"),
        ("PUT", "pause", {"reason": "r"}, "until"),
        ("POST", "external-events", {"name": "arrived"}, "occurredAt"),
    ],
)
def test_a_time_that_is_in_no_year_of_utc_is_refused(
    client: httpx.Client, method: str, path: str, body: dict[str, str], key: str, time: str
) -> None:
    assert client.post("/api/v1/lineage", json=run_event("job")).status_code == 201
    answer = client.request(method, f"/api/v1/{path}", json=body | {key: time})
    assert (answer.status_code, "the years 1 to 9999" in answer.text) == (400, True)


@pytest.mark.parametrize(
    ("question", "about", "status"),
    [
        ("details", {"at": NO_TIMES[1]}, 400),
        ("lineage", {"up": 1, "down": 1, "at": NO_TIMES[0]}, 400),
        ("column", {"column": "gone"}, 404),
    ],
)
def test_the_page_is_told_what_is_wrong_with_its_question(
    client: httpx.Client, graph: Graph, question: str, about: dict[str, Any], status: int
) -> None:
    event = run_event("job", outputs=(("file", "/out"),))
    assert client.post("/api/v1/lineage", json=event).status_code == 201
    (key,) = graph.query("MATCH (d:Dataset) RETURN d.key AS key")[0].values()
    about |= {"node" if question == "lineage" else "key": key}
    assert client.post(f"/api/v1/views/explorer/{question}", json=about).status_code == status


BAD_VALUES = [
    ("run.runId", "", "$.run.runId"),
    ("run.runId", LONG, "$.run.runId"),
    ("run.runId", 5, "$.run.runId"),
    ("run", "text", "$.run"),
    ("run", [], "$.run"),
    ("run.facets", [], "$.run.facets"),
    ("job", {}, "$.job"),
    ("job.name", "", "$.job.name"),
    ("job.name", 7, "$.job.name"),
    ("job.name", LONG, "$.job.name"),
    ("job.namespace", LONG, "$.job.namespace"),
    ("outputs.0.name", LONG, "$.outputs[0].name"),
    ("inputs.0.namespace", None, "$.inputs[0]"),
    ("inputs", {}, "$.inputs"),
    ("inputs.0", "text", "$.inputs[0]"),
    ("outputs.0.outputFacets", "text", "$.outputs[0].outputFacets"),
    ("eventType", "BEGIN", "$.eventType"),
    ("eventType", 1, "$.eventType"),
]
BAD_TIMES = [
    "",
    "yesterday",
    "2026-01-01",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "-2026-01-01T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-12-31T23:59:60Z",
    "2026-01-01T00:00:00+25:00",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "2026-01-01T00:00:00Z\0",
    1767225600,
    None,
    {},
]
NO_EVENTS = [
    b"",
    b"no json",
    b"\x00\xff",
    b"[]",
    b"5",
    b"null",
    b"{}",
    b'{"eventTime": "2026-01-01T00:00:00Z"}',
    b"[" * 100_000,
    b'{"run":' * 100_000,
    gzip.compress(b"{}"),
]


@pytest.fixture
def refused(client: httpx.Client, graph: Graph) -> Any:
    """Send a body that must be refused, and return the answer."""

    def send(body: bytes) -> dict[str, Any]:
        answer = client.post("/api/v1/lineage", content=body)
        assert answer.status_code == 400, answer.text
        assert graph.query("MATCH (n) WHERE NOT n:Migration RETURN count(n) AS n") == [{"n": 0}]
        told: dict[str, Any] = answer.json()
        assert told["error"]
        return told

    return send


def test_wrong_values_are_refused_with_their_path(refused: Any) -> None:
    for place, value, path in BAD_VALUES:
        told = refused(json.dumps(changed(place, value)).encode())
        assert told["path"] == path, told


def test_times_of_every_bad_kind_are_refused(refused: Any) -> None:
    for time in BAD_TIMES:
        told = refused(json.dumps(changed("eventTime", time)).encode())
        assert told["path"].startswith("$"), time
        assert "eventTime" in told["path"] + told["error"], time


def test_what_is_no_event_is_refused(refused: Any) -> None:
    for body in NO_EVENTS:
        assert refused(body)["path"] == "$"


@pytest.mark.parametrize("value", ["NaN", "-Infinity", "1e999", '"\\ud800"', '{"\\udfff": 1}'])
def test_values_that_json_does_not_have_are_refused_with_their_path(
    refused: Any, value: str
) -> None:
    text = json.dumps(changed("run.facets", {"custom": {"x": [1, "HERE"]}}))
    told = refused(text.replace('"HERE"', value).encode())
    assert told["path"] == "$.run.facets.custom.x[1]"


def test_deep_nesting_is_refused_with_its_path(refused: Any) -> None:
    for depth in (70, 400, 5000):
        nested = "[" * depth + "]" * depth
        text = json.dumps(changed("run.facets", {"custom": "HERE"}))
        refused(text.replace('"HERE"', nested).encode())


def test_names_that_are_long_together_are_taken(client: httpx.Client) -> None:
    ids = [f"0199aaaa-0000-7000-8000-00000000000{n}" for n in range(5)]
    for level in range(5):
        above = (ids[level - 1], str(level - 1) * 1900) if level else None
        event = run_event(str(level) * 1900, run_id=ids[level], parent=above)
        assert client.post("/api/v1/lineage", json=event).status_code == 201
    jobs = client.get("/api/v1/namespaces/default/jobs").json()["jobs"]
    assert len({job["name"] for job in jobs}) == 5
    assert max(len(job["name"]) for job in jobs) <= 4000


def test_large_bodies_are_refused(client: httpx.Client, serve: Serve) -> None:
    answer = client.post("/api/v1/lineage", content=b" " * 50_000_000)
    assert (answer.status_code, "max_body_bytes" in answer.text) == (413, True)
    bomb = gzip.compress(b" " * 50_000_000)
    answer = client.post("/api/v1/lineage", content=bomb, headers={"Content-Encoding": "gzip"})
    assert answer.status_code == 413
    small = serve(max_body_bytes=1000)
    assert small.post("/api/v1/lineage/batch", content=b" " * 1001).status_code == 413


def test_an_unknown_encoding_is_refused(client: httpx.Client) -> None:
    answer = client.post("/api/v1/lineage", content=b"{}", headers={"Content-Encoding": "br"})
    assert (answer.status_code, answer.headers["accept-encoding"]) == (415, "gzip")


def test_a_batch_that_is_no_array_is_refused(client: httpx.Client) -> None:
    for body in (b"", b"{}", b"[", b"[" * 100_000, b"5"):
        assert client.post("/api/v1/lineage/batch", content=body).status_code == 400


def test_other_methods_and_paths_are_answered_in_json(client: httpx.Client) -> None:
    answers = [client.delete("/api/v1/lineage"), client.get("/api/v1/nothing")]
    assert [answer.status_code for answer in answers] == [405, 404]
    assert all("error" in answer.json() for answer in answers)


def test_a_body_of_very_many_gzip_members_is_refused_at_once(client: httpx.Client) -> None:
    body = gzip.compress(b"") * 200_000
    answer = client.post(
        "/api/v1/lineage", content=body, headers={"Content-Encoding": "gzip"}, timeout=10
    )
    assert (answer.status_code, "members" in answer.json()["error"]) == (400, True)
