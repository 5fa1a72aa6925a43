"""Histories of many runs of few jobs, for sweeps to cut."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.queries.lineage.described_lineage import describe_lineage
from lineagegraph.queries.lineage.window import Window
from lineagegraph.store.jobs.details import list_reads
from tests.events import run_event

START = datetime(2026, 1, 1, tzinfo=UTC)
FILES = ("/a", "/b", "/c", "/d")


NAMESPACES = {"flow": "ns", "load": "ns", "clean": "ns", "report": "other"}


def history(seed: int, runs: int = 100) -> list[dict[str, Any]]:
    """Runs of a few jobs, two a day; some fail, some never end, some are under another run."""
    chance = random.Random(seed)
    events: list[dict[str, Any]] = []
    flow: str | None = None
    for number in range(runs):
        at = START + timedelta(hours=12 * number)
        run_id = str(UUID(int=chance.getrandbits(128), version=4))
        name = chance.choice(sorted(NAMESPACES))
        parent = (flow, "flow") if flow and name == "load" and chance.random() < 0.5 else None
        end = chance.choice(("COMPLETE", "COMPLETE", "COMPLETE", "FAIL", None))
        start = run_event(
            name, "START", at=at, run_id=run_id, parent=parent, namespace=NAMESPACES[name]
        )
        start["run"]["facets"]["own"] = {"number": number}
        start["inputs"] = [data(f, None) for f in chance.sample(FILES, chance.randint(0, 2))]
        events.append(start)
        if end:
            late = at + timedelta(hours=chance.randint(1, 60))
            done = run_event(name, end, at=late, run_id=run_id, namespace=NAMESPACES[name])
            outputs = chance.sample(FILES, chance.randint(0, 2))
            done["outputs"] = [data(f, chance.randint(0, 1)) for f in outputs]
            events.append(done)
        flow = run_id if name == "flow" else flow
    return events


def data(name: str, version: int | None) -> dict[str, Any]:
    found: dict[str, Any] = {"namespace": "lake", "name": name, "facets": {}}
    if version is not None:
        source = {"namespace": "lake", "name": "/a", "field": f"x{version}"}
        found["facets"] = {
            "columnLineage": {"fields": {"a": {"inputFields": [source]}}},
            "schema": {"fields": [{"name": "a"}, {"name": f"c{version}"}]},
        }
    return found


def edges(graph: Graph) -> set[str]:
    """What is known of jobs: their places, their data, and the columns of these."""
    rows = graph.query(
        "MATCH (a)-[r:FEEDS|PRODUCES|DERIVED_FROM|HAS_FIELD|NAMES]->(b) "
        "RETURN a.key AS a, type(r) AS type, r.job_key AS job, b.key AS b UNION "
        "MATCH (a:Job)-[r:PARENT_OF]->(b:Job) "
        "RETURN a.key AS a, type(r) AS type, '' AS job, b.key AS b "
        "UNION MATCH (j:Job) RETURN j.key AS a, j.kind AS type, toString(j.stub) AS job, '' AS b"
    )
    return {str(row) for row in rows}


def run_ids(graph: Graph) -> set[str]:
    return {row["id"] for row in graph.query("MATCH (r:Run) RETURN r.id AS id")}


def upstream(graph: Graph, ids: set[str]) -> dict[str, set[tuple[str, str | None, str | None]]]:
    """What each of the runs read, and what the runs before them did."""
    found: dict[str, set[tuple[str, str | None, str | None]]] = {}
    level = ids
    while level:
        rows = graph.read(list_reads, ids=sorted(level))
        for id_ in level:
            found[id_] = {(r.dataset, r.version, r.writer) for r in rows if r.id == id_}
        level = {row.writer for row in rows if row.writer} - found.keys()
    return found


def answers(graph: Graph, times: list[datetime]) -> list[object]:
    """What lineage was at times: edges, the newest run of each job, and what datasets held."""
    rows = graph.query("MATCH (n:Job|Dataset) RETURN n.key AS key ORDER BY key")
    return [answer(graph, row["key"], at) for at in times for row in rows]


def answer(graph: Graph, key: str, at: datetime) -> object:
    try:
        found = describe_lineage(graph, key, 9, 9, inherit=True, window=Window(at=at))
    except NotFound:
        return None
    return (
        sorted((edge.source, edge.target) for edge in found.edges),
        [(job.row.key, [(r.row.id, r.row.state) for r in job.runs]) for job in found.jobs],
        [(d.row.key, d.row.version, d.row.written_at, d.row.fields) for d in found.datasets],
    )
