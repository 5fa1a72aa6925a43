"""A run that reads a stream's output before the stream ends keeps the version that it read."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.lineage.column_node import current_versions
from lineagegraph.queries.lineage.run_lineage import Steps, walk_from_version
from lineagegraph.store.jobs.details import list_reads
from tests.events import run_event
from tests.integration.ingest.test_order import wipe

CLICKS = ("lake", "clicks")
KEY = dataset_key(*CLICKS)


def hour(number: int) -> datetime:
    return datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=number)


def send(graph: Graph, *events: dict[str, Any]) -> None:
    for event in events:
        graph.write(record, extract([event]))


def stream(run: str, kind: str, at: int, part: str | None = None) -> dict[str, Any]:
    event = run_event("collect", kind, run_id=run, at=hour(at), outputs=(CLICKS,))
    event["job"]["facets"] = {"jobType": {"processingType": "STREAMING"}}
    return of_part(event, "outputs", part)


def load(run: str, at: int, part: str | None = None) -> dict[str, Any]:
    event = run_event("load", run_id=run, at=hour(at), outputs=(CLICKS,))
    return of_part(event, "outputs", part)


def read(run: str, at: int, part: str | None = None) -> dict[str, Any]:
    return of_part(run_event("report", run_id=run, at=hour(at), inputs=(CLICKS,)), "inputs", part)


def of_part(event: dict[str, Any], uses: str, part: str | None) -> dict[str, Any]:
    if part:
        partitions = [{"identifier": part, "dimensions": {"region": part}}]
        condition = {"type": "partition", "partitions": partitions}
        facet = {f"{uses[:-1]}Condition": condition}
        event[uses][0][f"{uses[:-1]}Facets"] = {"subset": facet}
    return event


def writers(graph: Graph, *ids: str) -> list[str | None]:
    found = {use.id: use.writer for use in graph.read(list_reads, ids=list(ids))}
    return [found[id_] for id_ in ids]


@pytest.mark.parametrize("part", [None, "eu"])
@pytest.mark.parametrize("kind", ["FAIL", "COMPLETE"])
def test_the_end_of_a_stream_takes_its_version_from_no_run_that_read_it(
    graph: Graph, kind: str, part: str | None
) -> None:
    old, first, last, own = (new_id() for _ in range(4))
    readers = [new_id() for _ in range(6)]
    send(graph, load(old, 0, part), stream(first, "RUNNING", 2, part))
    send(graph, *(read(readers[n], at, part) for n, at in enumerate((1, 3))))
    send(graph, load(last, 4, part), *(read(readers[n], at, part) for n, at in ((2, 5),)))
    before = writers(graph, *readers[:3])
    assert before == [old, first, last]
    send(graph, stream(first, kind, 8, part), read(readers[3], 9, part))
    newest = first if kind == "COMPLETE" else last
    assert writers(graph, *readers[:4]) == [*before, newest]
    versions = [graph.read(current_versions, [KEY], hour(at))[KEY] for at in (1, 3, 5, 9)]
    assert versions == [version_of(graph, run) for run in (old, first, last, newest)]
    found = graph.read(walk_from_version, versions[1], first, Steps(up=0, down=0))
    assert readers[1] in found.runs
    assert (readers[3] in found.runs) == (kind == "COMPLETE")
    send(graph, load(own, 10, part))
    assert writers(graph, *readers[:4]) == [*before, newest]


def version_of(graph: Graph, run: str) -> str:
    (row,) = graph.query(
        "MATCH (:Run {id: $id})-[:WRITES]->(v:DatasetVersion) RETURN v.key AS key", {"id": run}
    )
    return str(row["key"])


@settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(1, 2**32))
def test_a_run_reads_the_version_of_its_time_whatever_ends_later(graph: Graph, seed: int) -> None:
    wipe(graph)
    chance, events, then = random.Random(seed), [], {}
    streams = [new_id() for _ in range(4)]
    for at in range(40):
        part = chance.choice([None, None, "eu", "us"])
        if chance.random() < 0.4:
            events.append(read(new_id(), at, part))
        elif chance.random() < 0.4:
            events.append(load(new_id(), at, part))
        else:
            kind = chance.choice(["RUNNING", "RUNNING", "COMPLETE", "FAIL"])
            number = chance.randrange(4)
            parts = [None, "eu", "us", None]
            events.append(stream(streams[number], kind, at, parts[number]))
            if kind != "RUNNING":
                streams[number] = new_id()
        send(graph, events[-1])
        if events[-1]["inputs"]:
            run = events[-1]["run"]["runId"]
            then[run] = reads(graph, run)
    assert {run: reads(graph, run) for run in then} == then
    wipe(graph)
    chance.shuffle(events)
    send(graph, *events)
    assert {run: reads(graph, run) for run in then} == then


def reads(graph: Graph, run: str) -> list[tuple[str | None, str | None]]:
    return [(use.version, use.writer) for use in graph.read(list_reads, ids=[run])]
