"""Events as a Spark pipeline sends them: about 7 kB each, four levels, column lineage."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from lineagegraph.model.runs.ids import new_id

PRODUCER = "https://example.org/bench"
SCHEMA = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
COLUMNS = [f"column_{number}" for number in range(9)]
Level = tuple[str, str]


def make_events(count: int, pipelines: int = 50) -> list[dict[str, Any]]:
    """Return that many events, of runs of that many pipelines in turn, each run from end to end."""
    events = _events(pipelines)
    return [next(events) for _ in range(count)]


def _events(pipelines: int) -> Iterator[dict[str, Any]]:
    number = 0
    while True:
        yield from _run(number % pipelines)
        number += 1


def _run(pipeline: int) -> Iterator[dict[str, Any]]:
    """Yield the eight events of one run: each level starts, and they end from below."""
    name = f"dag_{pipeline}"
    names = [name, f"{name}.extract", f"app_{pipeline}", f"app_{pipeline}.execute_insert"]
    chain: list[Level] = [(new_id(), level) for level in names]
    for depth in range(4):
        yield _event("START", chain, depth, pipeline)
    for depth in reversed(range(4)):
        yield _event("COMPLETE", chain, depth, pipeline)


def _event(event_type: str, chain: list[Level], depth: int, pipeline: int) -> dict[str, Any]:
    run_id, name = chain[depth]
    facets: dict[str, Any] = {
        "processing_engine": _facet(version="4.0.1", name="spark", openlineageAdapterVersion="1"),
        "environment-properties": _facet(**{"environment-properties": _properties(pipeline)}),
    }
    if depth:
        facets["parent"] = _reference(chain[depth - 1]) | {"root": _reference(chain[0])}
    is_action = depth == 3
    return {
        "eventTime": datetime.now(UTC).isoformat(),
        "eventType": event_type,
        "producer": PRODUCER,
        "schemaURL": SCHEMA,
        "run": {"runId": run_id, "facets": facets},
        "job": {
            "namespace": "bench",
            "name": name,
            "facets": {
                "jobType": _facet(jobType="SQL_JOB", integration="SPARK", processingType="BATCH"),
                "sql": _facet(query=_query(pipeline)),
            },
        },
        "inputs": [_input(f"/in/{pipeline}"), _input(f"/side/{pipeline}")] if is_action else [],
        "outputs": [_output(pipeline, event_type)] if is_action else [],
    }


def _reference(level: Level) -> dict[str, Any]:
    return {"run": {"runId": level[0]}, "job": {"namespace": "bench", "name": level[1]}}


def _facet(**body: Any) -> dict[str, Any]:
    return {"_producer": PRODUCER, "_schemaURL": f"{PRODUCER}/facet.json"} | body


def _properties(pipeline: int) -> dict[str, str]:
    return {f"spark.property.number.{n}": f"value {n} of {pipeline} " * 2 for n in range(64)}


def _query(pipeline: int) -> str:
    selected = ", ".join(f"coalesce(i.{c}, s.{c}) AS {c}" for c in COLUMNS)
    return (
        f"INSERT INTO out_{pipeline} SELECT {selected} FROM in_{pipeline} i JOIN side s USING (k)"
    )


def _input(name: str) -> dict[str, Any]:
    return {"namespace": "file", "name": name, "facets": {"schema": _schema()}}


def _output(pipeline: int, event_type: str) -> dict[str, Any]:
    made = {
        column: {
            "inputFields": [
                {
                    "namespace": "file",
                    "name": f"/{side}/{pipeline}",
                    "field": column,
                    "transformations": [
                        {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": ""}
                    ],
                }
                for side in ("in", "side")
            ]
        }
        for column in COLUMNS
    }
    facets = {"schema": _schema(), "columnLineage": _facet(fields=made)}
    found = {"namespace": "file", "name": f"/out/{pipeline}", "facets": facets}
    if event_type == "COMPLETE":
        found["outputFacets"] = {"outputStatistics": _facet(rowCount=1000 + pipeline, size=10**6)}
    return found


def _schema() -> dict[str, Any]:
    return _facet(fields=[{"name": column, "type": "string"} for column in COLUMNS])
