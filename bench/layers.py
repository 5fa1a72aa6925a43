"""A large graph: pipelines of tasks in layers, each with hundreds of runs.

The first run of each pipeline is reported by events like any other; it is then copied within
Neo4j, with all its relationships and at other times. Copies have no events.
"""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from rich.progress import track

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record

LAYERS = 20
PIPELINES = 100
NAMESPACE = "bench"
STORE = "s3://bench"
NARROW = 8
"""The first pipelines read among themselves: a few hundred nodes are before their last task."""
_REACH = (0, 1, 7, 29)
_FIRST = datetime(2026, 1, 1, tzinfo=UTC)
_PRODUCER = "https://example.org/bench"
_SCHEMA = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
_COLUMNS = [f"column_{number}" for number in range(9)]
_COPY_RUN = """
MATCH (j:Job)-[h:HAS_RUN]->(r:Run {id: $id})
OPTIONAL MATCH (p:Run)-[:PARENT_OF]->(r)
UNWIND range($first, $last) AS n
WITH j, h, r, p, right('00000000000' + n, 12) AS tail, duration({hours: n % 1000000}) AS later
CREATE (c:Run)
SET c = r {
  .*, id: left(r.id, 24) + tail,
  created_at: r.created_at + later, started_at: r.started_at + later, ended_at: r.ended_at + later,
  start_time: r.start_time + later, complete_time: r.complete_time + later,
  nominal_start: r.nominal_start + later, nominal_end: r.nominal_end + later,
  state_at: r.ended_at + later,
  partition: '{"nominalStartTime":"' + toString(r.nominal_start + later) + '"}'
}
CREATE (j)-[has:HAS_RUN]->(c)
SET has = properties(h)
"""
_COPY = (
    _COPY_RUN
    + """
WITH r, p, c, tail
CALL (p, c, tail) {
  MATCH (above:Run {id: left(p.id, 24) + tail})
  CREATE (above)-[:PARENT_OF]->(c)
}
CALL (r, c) {
  MATCH (r)-[said:HAS_FACET]->(f:Facet)
  CREATE (c)-[says:HAS_FACET]->(f)
  SET says = properties(said)
}
CALL (r, c) {
  MATCH (r)-[read:READS]->(d:Dataset)
  CREATE (c)-[reads:READS]->(d)
  SET reads = read {.*, first_seen: c.started_at, last_seen: c.ended_at}
}
CALL (r, c, tail) {
  MATCH (r)-[wrote:WRITES]->(v:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset)
  CREATE (d)-[:HAS_VERSION]->(w:DatasetVersion)
  SET w = v {.*, key: left(v.key, 20) + tail, written_at: c.ended_at}
  CREATE (c)-[writes:WRITES]->(w)
  SET writes = wrote {.*, first_seen: c.started_at, last_seen: c.ended_at}
}
"""
)
_MINIMAL_FROM = 1_000_000
_PART = 5_000


class Draw(random.Random):
    """Draws what is asked of a graph of so many pipelines."""

    def __init__(self, seed: int, pipelines: int = PIPELINES) -> None:
        super().__init__(seed)
        self.pipelines = pipelines

    def task(self) -> tuple[int, int]:
        """Return the numbers of a pipeline and of a layer."""
        return self.randrange(self.pipelines), self.randrange(LAYERS)


def make_layers(graph: Graph, runs: int, pipelines: int = PIPELINES) -> None:
    """Write pipelines into an empty graph, with that many runs of each and of its tasks."""
    events = layer_events(pipelines)
    for first in track(range(0, len(events), 300), "reporting the first runs"):
        graph.write(record, extract(events[first : first + 300]))
    for id_ in track(_ids(pipelines), "copying them"):
        graph.query(_COPY, {"id": id_, "first": 1, "last": runs - 1}, write=True)


def add_minimal(graph: Graph, runs: int) -> None:
    """Copy that many runs without parents, facets and datasets."""
    ids = _ids()
    last = _MINIMAL_FROM + runs // len(ids)
    for id_ in track(ids, "copying runs without facts"):
        for first in range(_MINIMAL_FROM, last, _PART):
            values = {"id": id_, "first": first, "last": min(first + _PART, last) - 1}
            graph.query(_COPY_RUN, values, write=True)


def _ids(pipelines: int = PIPELINES) -> list[str]:
    return [run_id(pipeline, layer) for pipeline in range(pipelines) for layer in (None, *_LAYERS)]


def layer_events(pipelines: int = PIPELINES) -> list[dict[str, Any]]:
    """Return the events of one run of each pipeline and of its tasks."""
    return [event for pipeline in range(pipelines) for event in _events(pipeline, pipelines)]


_LAYERS = range(LAYERS)


def task_name(pipeline: int, layer: int) -> str:
    """Return the FQN of a task."""
    return f"{pipeline_name(pipeline)}.task_{layer:02}_{pipeline:02}"


def table_name(pipeline: int, layer: int) -> str:
    """Return the name of what a task writes."""
    return f"layer_{layer:02}/table_{pipeline:02}"


def pipeline_name(pipeline: int) -> str:
    """Return the name of a pipeline."""
    return f"pipeline_{pipeline:02}"


def run_id(pipeline: int, layer: int | None) -> str:
    """Return the id of the first run of a task, or of its pipeline."""
    return str(uuid5(NAMESPACE_URL, f"{_PRODUCER}/{pipeline}/{layer}"))


def _events(pipeline: int, pipelines: int) -> Iterator[dict[str, Any]]:
    yield _event("START", pipeline, None, 0)
    for layer in _LAYERS:
        inputs = _inputs(pipeline, layer, pipelines)
        yield _event("START", pipeline, layer, 2 * layer + 1, inputs)
        yield _event("COMPLETE", pipeline, layer, 2 * layer + 2, inputs)
    yield _event("COMPLETE", pipeline, None, 2 * LAYERS + 1)


def _event(
    type_: str, pipeline: int, layer: int | None, minute: int, inputs: Sequence[Any] = ()
) -> dict[str, Any]:
    name = pipeline_name(pipeline) if layer is None else task_name(pipeline, layer)
    nominal = _FIRST.isoformat(), (_FIRST + timedelta(hours=1)).isoformat()
    facets = {
        "nominalTime": _facet(nominalStartTime=nominal[0], nominalEndTime=nominal[1]),
        "processing_engine": _facet(version="4.0.1", name="spark"),
    }
    if layer is not None:
        parent = {"namespace": NAMESPACE, "name": pipeline_name(pipeline)}
        facets["parent"] = _facet(run={"runId": run_id(pipeline, None)}, job=parent)
    return {
        "eventTime": (_FIRST + timedelta(minutes=minute)).isoformat(),
        "eventType": type_,
        "producer": _PRODUCER,
        "schemaURL": _SCHEMA,
        "run": {"runId": run_id(pipeline, layer), "facets": facets},
        "job": {"namespace": NAMESPACE, "name": name, "facets": _job_facets(name, layer)},
        "inputs": list(inputs),
        "outputs": [] if layer is None else [_table(pipeline, layer)],
    }


def _job_facets(name: str, layer: int | None) -> dict[str, Any]:
    kind = "DAG" if layer is None else "TASK"
    facets = {"jobType": _facet(jobType=kind, integration="AIRFLOW", processingType="BATCH")}
    if layer is not None:
        facets["sql"] = _facet(query=f"INSERT INTO {name} SELECT * FROM before")
    return facets


def _inputs(pipeline: int, layer: int, pipelines: int) -> list[dict[str, Any]]:
    """Return what a task reads: tables of the layer before, of its own pipeline and some others."""
    if layer == 0:
        return [{"namespace": STORE, "name": f"landing/{pipeline:02}"}]
    first, last = (0, NARROW) if pipeline < NARROW else (NARROW, pipelines)
    reach = _REACH[:2] if pipeline < NARROW else _REACH
    others = [first + (pipeline - first + step) % (last - first) for step in reach]
    return [_table(other, layer - 1) for other in others]


def _table(pipeline: int, layer: int) -> dict[str, Any]:
    schema = _facet(fields=[{"name": column, "type": "string"} for column in _COLUMNS])
    return {"namespace": STORE, "name": table_name(pipeline, layer), "facets": {"schema": schema}}


def _facet(**body: Any) -> dict[str, Any]:
    return {"_producer": _PRODUCER, "_schemaURL": f"{_PRODUCER}/facet.json"} | body
