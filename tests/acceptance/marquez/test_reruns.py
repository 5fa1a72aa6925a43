"""Runs that are run again over HTTP."""

from uuid import uuid4

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from tests.definitions import daily, define, tell_daily

RUN = str(uuid4())
PATH = f"/api/v1/jobs/runs/{RUN}/rerun"
DAY = {"params": {"day": "2026-01-31"}}


@pytest.fixture(autouse=True)
def run(graph: Graph) -> None:
    define(graph, daily())
    tell_daily(graph, RUN)


def test_a_rerun_is_listed_and_then_started(client: httpx.Client, graph: Graph) -> None:
    asked = {"policy": "latest"} | DAY
    listed = client.post(PATH, params={"dryRun": "true"}, json=asked)
    assert listed.status_code == 200
    assert listed.json()["params"] == {"day": "2026-01-31", "region": "EU", "limit": 10}
    assert graph.query("MATCH (r:Run)-[:RERUN_OF]->() RETURN r") == []
    started = client.post(PATH, json=asked)
    assert (started.status_code, started.json()["number"]) == (201, 1)
    assert {**started.json(), **listed.json()} == started.json()
    assert client.get(f"/api/v1/jobs/runs/{started.json()['runId']}").status_code == 200


def test_a_repeated_request_with_a_key_is_answered_as_one_that_starts_nothing(
    client: httpx.Client,
) -> None:
    asked, key = {"policy": "latest"} | DAY, {"Idempotency-Key": "again"}
    first, again = (client.post(PATH, json=asked, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()


def test_a_policy_that_asks_is_answered_with_the_choices(client: httpx.Client) -> None:
    asks = client.post(PATH, json=DAY)
    assert asks.status_code == 409
    assert asks.json()["policies"] == ["as_was", "latest", "pinned:VERSION"]
    assert [one["policy"] for one in asks.json()["choices"]] == ["as_was", "latest"]


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ({"policy": "as_was"}, 422, "cannot run again as it was: its version is unknown"),
        ({"policy": "pinned:abcd"} | DAY, 422, "daily has no version abcd"),
        ({"policy": "latest", "tasks": ["z"]} | DAY, 422, "has no task 'z'"),
        ({"policy": "latest"}, 400, "parameter day of daily: missing"),
        ({"policy": "latest", "params": {"x": 1}}, 400, "parameter x of daily: unknown"),
        ({"policy": 7}, 400, "the body is not valid"),
        ({"allow": ["everything"]}, 400, "the body is not valid"),
    ],
)
def test_what_is_wrong_is_said(client: httpx.Client, body: object, status: int, why: str) -> None:
    answer = client.post(PATH, json=body)
    assert (answer.status_code, why in answer.json()["error"]) == (status, True), answer.text


def test_a_run_that_there_is_not_is_not_found(client: httpx.Client) -> None:
    assert client.post(f"/api/v1/jobs/runs/{uuid4()}/rerun", json={}).status_code == 404
