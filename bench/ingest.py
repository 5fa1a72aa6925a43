"""Events a second into the graph, beside a bare UNWIND of as many nodes in the same run.

`python -m bench.ingest` starts a Neo4j of its own. An event has a parent, two inputs, one output,
nine columns and their lineage.
"""

import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lineagegraph import neo4j_server
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import canonical_hash, canonical_json
from lineagegraph.model.runs.ids import new_id
from lineagegraph.settings import Settings

BATCHES = {1: 200, 100: 30, 1000: 5}
BARE = """
UNWIND $rows AS row
MERGE (e:Bare {id: row.id})
ON CREATE SET e.body = row.body
"""


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder), neo4j_uri=None)
        address = neo4j_server.start(settings, answers)
        try:
            with Graph(address.bolt, address.user, address.password) as graph:
                migrate(graph)
                graph.query("CREATE CONSTRAINT FOR (n:Bare) REQUIRE n.id IS UNIQUE", write=True)
                measure(graph)
        finally:
            neo4j_server.stop(settings)


def measure(graph: Graph) -> None:
    """Print a row for each size of batch."""
    write_events(graph, make_events(200))
    write_bare(graph, make_events(200))
    print("| events a transaction | lineagegraph events/s | bare UNWIND rows/s | ratio |")
    print("|---:|---:|---:|---:|")
    for size, count in BATCHES.items():
        ours = rate(lambda events: write_events(graph, events), size, count)
        bare = rate(lambda events: write_bare(graph, events), size, count)
        print(f"| {size} | {ours:,.0f} | {bare:,.0f} | {bare / ours:.1f} |", flush=True)


def rate(write: Callable[[list[dict[str, Any]]], None], size: int, count: int) -> float:
    """Return events a second over `count` transactions of `size` events."""
    batches = [make_events(size) for _ in range(count)]
    began = time.perf_counter()
    for batch in batches:
        write(batch)
    return size * count / (time.perf_counter() - began)


def write_events(graph: Graph, events: list[dict[str, Any]]) -> None:
    """Ingest events in one transaction."""
    graph.write(record, extract(events))


def write_bare(graph: Graph, events: list[dict[str, Any]]) -> None:
    """Write a node an event, and nothing else."""
    rows = [{"id": canonical_hash(event), "body": canonical_json(event)} for event in events]
    graph.query(BARE, {"rows": rows}, write=True)


def make_events(count: int) -> list[dict[str, Any]]:
    """Return COMPLETE events of Spark actions, ten to a parent run, over fifty jobs."""
    parents = [new_id() for _ in range(1 + count // 10)]
    return [make_event(number, parents[number // 10]) for number in range(count)]


def make_event(number: int, parent: str) -> dict[str, Any]:
    """Return one event."""
    task = {"run": {"runId": parent}, "job": {"namespace": "bench", "name": "dag.task"}}
    return {
        "eventTime": datetime.now(UTC).isoformat(),
        "eventType": "COMPLETE",
        "producer": "https://example.org/bench",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": new_id(), "facets": {"parent": task}},
        "job": {"namespace": "bench", "name": f"app.write_{number % 50}", "facets": {}},
        "inputs": [dataset(f"/in/{number % 50}"), dataset(f"/side/{number % 50}")],
        "outputs": [dataset(f"/out/{number % 50}", source=f"/in/{number % 50}")],
    }


def dataset(name: str, source: str | None = None) -> dict[str, Any]:
    """Return a dataset of nine columns, derived from `source` where it has one."""
    columns = [f"c{number}" for number in range(9)]
    facets: dict[str, Any] = {"schema": {"fields": [{"name": c, "type": "int"} for c in columns]}}
    if source:
        made = {
            c: {"inputFields": [{"namespace": "file", "name": source, "field": c}]} for c in columns
        }
        facets["columnLineage"] = {"fields": made}
    return {"namespace": "file", "name": name, "facets": facets}


if __name__ == "__main__":
    main()
