"""Backfills over HTTP."""

from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.backfills.advance import advance_backfills
from lineagegraph.graph import Graph
from tests.definitions import daily, define

BACKFILLS = "/api/v1/backfills"
WEEK: dict[str, Any] = {
    "job": "daily",
    "times": {"first": "2026-01-01", "last": "2026-01-07"},
}


@pytest.fixture(autouse=True)
def job(graph: Graph) -> str:
    return define(graph, daily())


def test_a_backfill_is_previewed_started_looked_at_paused_resumed_and_cancelled(
    client: httpx.Client, graph: Graph
) -> None:
    plan = client.post(f"{BACKFILLS}/preview", json=WEEK).json()
    assert (plan["totalCount"], plan["toRun"]) == (7, 7)
    assert plan["partitions"][0]["partition"] == {"day": "2026-01-01"}
    assert client.get(BACKFILLS).json()["totalCount"] == 0
    begun = client.post(BACKFILLS, json=WEEK | {"id": "w", "concurrency": 2, "stopAfter": 1})
    assert (begun.status_code, begun.json()["state"]) == (201, "RUNNING")
    advance_backfills(graph)
    found = client.get(f"{BACKFILLS}/w").json()
    assert found["states"] == {"PENDING": 2, "UNSTARTED": 5}
    page = client.get(f"{BACKFILLS}/w/partitions", params={"state": "pending"}).json()
    assert [one["params"]["day"] for one in page["partitions"]] == ["2026-01-01", "2026-01-02"]
    assert client.get(BACKFILLS, params={"job": "daily"}).json()["totalCount"] == 1
    assert client.get(BACKFILLS, params={"job": "other"}).json()["totalCount"] == 0
    assert client.post(f"{BACKFILLS}/w/pause").json()["state"] == "PAUSED"
    assert client.post(f"{BACKFILLS}/w/resume").json()["state"] == "RUNNING"
    assert client.post(f"{BACKFILLS}/w/cancel", params={"running": "true"}).status_code == 200
    refused = client.post(f"{BACKFILLS}/w/pause")
    assert refused.status_code == 409
    assert "is CANCELLED" in refused.json()["error"]


def test_the_same_start_again_is_answered_with_the_backfill_and_another_refused(
    client: httpx.Client,
) -> None:
    body = WEEK | {"id": "w"}
    assert client.post(BACKFILLS, json=body).status_code == 201
    assert client.post(BACKFILLS, json=body).status_code == 200
    assert client.post(BACKFILLS, json=body | {"concurrency": 9}).status_code == 409
    assert client.get(f"{BACKFILLS}/w/partitions").json()["totalCount"] == 7


@pytest.mark.parametrize(
    ("said", "status", "why"),
    [
        ({"job": "nobody"}, 404, "sync PATH"),
        ({"times": {"first": "2026-01-07", "last": "2026-01-01"}}, 400, "swap them"),
        ({"times": {"first": "2026-01-07"}}, 400, "last"),
        ({"values": {"moon": ["full"]}}, 400, "moon of daily: unknown"),
        ({"which": "SOME"}, 400, "SOME"),
        ({"concurency": 2}, 400, "concurency"),
        ({"concurrency": 10**30}, 400, "from 1 to 1,000"),
        ({"stopAfter": 0}, 400, "from 1"),
        ({"id": "a b"}, 400, "id 'a b'"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_stored(
    client: httpx.Client, graph: Graph, said: dict[str, Any], status: int, why: str
) -> None:
    refused = client.post(BACKFILLS, json=WEEK | said)
    assert (refused.status_code, why in refused.json()["error"]) == (status, True), refused.text
    assert graph.query("MATCH (b:Backfill) RETURN count(b) AS n") == [{"n": 0}]


def test_a_backfill_that_there_is_not_is_not_found(client: httpx.Client) -> None:
    for method, tail in (("GET", ""), ("GET", "/partitions"), ("POST", "/cancel")):
        assert client.request(method, f"{BACKFILLS}/nothing{tail}").status_code == 404
