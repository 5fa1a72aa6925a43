"""Milliseconds of the view of a run as it was: `python -m bench.as_was [--home FOLDER]`.

The graph is that of `bench.reads`, 750,000 runs, and 50 pipelines of our own with 20 tasks each,
two versions and 4 runs, whose tasks read and write. Asked over HTTP on a kept connection, alone and
beside 8 readers and 100 events/s; all on the same cores.
"""

import argparse
import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.layers import LAYERS, NAMESPACE, PIPELINES, run_id, table_name
from bench.load import percentile, serving
from bench.reads import ASKED, RUNS, Question, loaded, make_graph, measure
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.pipelines.definition import Pipeline, PythonTask, Task
from lineagegraph.model.runs.ids import derived_id
from tests.definitions import put_in_force, version_of

OWN = 50
OWN_RUNS = 4
_SINCE = datetime(2026, 2, 1, tzinfo=UTC)
_RUN = "00000000-0000-7000-8000-{pipeline:06}{number:06}"


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="keep the graph here, and use it if it is there")
    parser.add_argument("--asked", type=int, default=ASKED, help="how often each is asked")
    parser.add_argument("--warm", type=float, default=120, help="seconds of questions before")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of each task, if it is new")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = given.home or Path(folder)
        make_graph(home, given.runs, add_own)
        with serving(home) as url:
            warm(url, given.warm)
            print("| view | alone p50 ms | alone p95 ms | loaded p50 ms | loaded p95 ms |")
            print("|---|---:|---:|---:|---:|")
            for name, question in QUESTIONS.items():
                alone = measure(url, question, given.asked)
                with loaded(url):
                    beside = measure(url, question, given.asked)
                cells = [percentile(times, p) for times in (alone, beside) for p in (50, 95)]
                print(f"| {name} | " + " | ".join(f"{c:.1f}" for c in cells) + " |", flush=True)


def warm(url: str, seconds: float) -> None:
    """Ask everything in turn for a while: the JVM compiles what it does often."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for question in QUESTIONS.values():
            measure(url, question, 20)


def add_own(graph: Graph) -> None:
    """Add pipelines with definitions, unless they are there."""
    if graph.query("MATCH (v:JobVersion) RETURN v.hash LIMIT 1"):
        return
    for pipeline in range(OWN):
        for version in (0, 1):
            stated = _stated(pipeline, LAYERS - 1 + version)
            at = _SINCE + timedelta(days=version)
            own = version_of(stated, "own.py")
            put_in_force(graph, own, application="bench", now=at)
            for number in range(OWN_RUNS // 2):
                events = _events(pipeline, 2 * version + number, stated, at)
                graph.write(record, extract(events))


def own_run(random_: random.Random) -> str:
    """Return the path of a run of a pipeline that has a definition."""
    run = _own_id(random_.randrange(OWN), random_.randrange(OWN_RUNS))
    return f"/api/v1/jobs/runs/{run}/as-was"


def foreign_run(random_: random.Random) -> str:
    """Return the path of a run of a pipeline that has none."""
    return f"/api/v1/jobs/runs/{run_id(random_.randrange(PIPELINES), None)}/as-was"


def at_a_time(random_: random.Random) -> str:
    """Return the path of a pipeline in the days of its first version, or after."""
    at = _SINCE + timedelta(hours=random_.randrange(1, 48))
    name = f"own_{random_.randrange(OWN):02}"
    return f"/api/v1/namespaces/{NAMESPACE}/jobs/{name}/as-was?at={quote(at.isoformat())}"


QUESTIONS: dict[str, Question] = {
    "run of a pipeline with a definition, 20 tasks": own_run,
    "run of others, 20 runs below it": foreign_run,
    "pipeline at a time": at_a_time,
}


def _stated(pipeline: int, tasks: int) -> Pipeline:
    return Pipeline(
        name=f"own_{pipeline:02}",
        namespace=NAMESPACE,
        tasks=tuple(
            Task(
                name=f"task_{number:02}",
                work=PythonTask(module="own", qualname=f"task_{number:02}"),
                after=(f"task_{number - 1:02}",) if number else (),
            )
            for number in range(tasks)
        ),
    )


def _events(pipeline: int, number: int, stated: Pipeline, at: datetime) -> list[dict[str, Any]]:
    run, name = _own_id(pipeline, number), stated.name
    top = _event(run, name, at, {"lineagegraph": {"version": canonical_hash(stated)}})
    parent = {"run": {"runId": run}, "job": {"namespace": NAMESPACE, "name": name}}
    tasks = []
    for layer, task in enumerate(stated.tasks):
        own = derived_id(run, task.name, "1")
        begun = at + timedelta(minutes=layer)
        event = _event(own, f"{name}.{task.name}", begun, {"parent": parent})
        event["inputs"] = [_table(pipeline, layer - 1)] if layer else []
        event["outputs"] = [_table(pipeline, layer)]
        tasks.append(event)
    return [top, *tasks]


def _event(run: str, job: str, at: datetime, facets: dict[str, Any]) -> dict[str, Any]:
    return {
        "eventTime": at.isoformat(),
        "eventType": "COMPLETE",
        "producer": "https://example.org/bench",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run, "facets": facets},
        "job": {"namespace": NAMESPACE, "name": job, "facets": {}},
        "inputs": [],
        "outputs": [],
    }


def _table(pipeline: int, layer: int) -> dict[str, Any]:
    return {"namespace": "s3://bench", "name": f"own/{table_name(pipeline, layer)}"}


def _own_id(pipeline: int, number: int) -> str:
    return _RUN.format(pipeline=pipeline, number=number)


if __name__ == "__main__":
    main()
