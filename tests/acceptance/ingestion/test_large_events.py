"""A large event is written whole, and does not hold up the events of others."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2 as httpx

from lineagegraph.graph import Graph
from tests.events import run_event

MANY, WIDE = 4000, 150


def post(client: httpx.Client, event: dict[str, Any]) -> float:
    begun = time.monotonic()
    assert client.post("/api/v1/lineage", json=event).status_code == 201
    return time.monotonic() - begun


def test_others_have_their_turn_while_many_inputs_are_written(
    client: httpx.Client, graph: Graph
) -> None:
    files = tuple(("file", f"/in/{n}") for n in range(MANY))
    large = run_event("large", inputs=files, outputs=(("file", "/out"),))
    small = []
    with ThreadPoolExecutor() as pool:
        written = pool.submit(post, client, large)
        while not written.done():
            small.append(post(client, run_event("small")))
    assert len(small) >= 5
    assert max(small) < written.result() / 3
    assert graph.query(
        "MATCH (r:Run {name: 'large'})-[:READS]->(d)-[:FEEDS]->(:Job {name: 'large'}) "
        "RETURN count(d) AS read, r.state AS state"
    ) == [{"read": MANY, "state": "COMPLETED"}]


def test_dependencies_of_a_whole_wide_dataset_are_quick(client: httpx.Client) -> None:
    event = run_event("wide", outputs=(("file", "/wide"),))
    sources = [{"namespace": "file", "name": "/in", "field": f"x{n}"} for n in range(WIDE)]
    fields: dict[str, Any] = {f"c{n}": {"inputFields": []} for n in range(WIDE)}
    lineage = {"fields": fields, "dataset": sources}
    event["outputs"][0]["facets"] = {"columnLineage": lineage}
    assert post(client, event) < 5
