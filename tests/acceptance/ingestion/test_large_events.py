"""A large event is written whole, and does not hold up the events of others."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2 as httpx

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from tests.events import run_event

MANY, WIDE = 4000, 150


def post(client: httpx.Client, event: dict[str, Any]) -> float:
    begun = time.monotonic()
    assert client.post("/api/v1/lineage", json=event).status_code == 201
    return time.monotonic() - begun


def others(client: httpx.Client, large: dict[str, Any]) -> tuple[list[float], float]:
    """Send small events while a large one is written; return how long each took, and the large."""
    # Neo4j plans what is new to it first, and everybody waits for that.
    post(client, large)
    again = json.loads(json.dumps(large).replace("/in", "/in again").replace("/out", "/out again"))
    small = []
    with ThreadPoolExecutor() as pool:
        written = pool.submit(post, client, again | {"run": {"runId": new_id()}})
        while not written.done():
            small.append(post(client, run_event("small")))
    return small, written.result()


def test_others_have_their_turn_while_many_inputs_are_written(
    client: httpx.Client, graph: Graph
) -> None:
    files = tuple(("file", f"/in/{n}") for n in range(MANY))
    large = run_event("large", inputs=files, outputs=(("file", "/out"),))
    small, seconds = others(client, large)
    assert len(small) >= 5
    assert max(small) < seconds / 2
    assert (
        graph.query(
            "MATCH (r:Run {name: 'large'})-[:READS]->(d)-[:FEEDS]->(:Job {name: 'large'}) "
            "WITH r, count(d) AS read RETURN read, r.state AS state"
        )
        == [{"read": MANY, "state": "COMPLETED"}] * 2
    )


def test_dependencies_of_a_whole_wide_dataset_are_quick(client: httpx.Client) -> None:
    event = run_event("wide", outputs=(("file", "/wide"),))
    sources = [{"namespace": "file", "name": "/in", "field": f"x{n}"} for n in range(WIDE)]
    fields: dict[str, Any] = {f"c{n}": {"inputFields": []} for n in range(WIDE)}
    lineage = {"fields": fields, "dataset": sources}
    event["outputs"][0]["facets"] = {"columnLineage": lineage}
    assert post(client, event) < 5


def test_others_have_their_turn_while_very_many_dependencies_of_columns_are_written(
    client: httpx.Client, graph: Graph
) -> None:
    event = run_event("wide", outputs=(("file", "/out"),))
    fields = {
        f"c{n}": {
            "inputFields": [
                {"namespace": "file", "name": "/in", "field": f"x{n * m % 67}"} for m in range(61)
            ]
        }
        for n in range(150)
    }
    event["outputs"][0]["facets"] = {"columnLineage": {"fields": fields}}
    links = len({(n, s["field"]) for n, said in fields.items() for s in said["inputFields"]})
    small, seconds = others(client, event)
    assert len(small) >= 3
    assert max(small) < seconds / 2
    found = graph.query("MATCH ()-[e:DERIVED_FROM]->() RETURN count(e) AS n")
    assert found == [{"n": 2 * links}]
    path = "/api/v1/column-lineage?nodeId=dataset:file:/out&runs=latest&depth=1"
    nodes = client.get(path).json()["graph"]
    assert sum(len(node["inEdges"]) for node in nodes) == links
