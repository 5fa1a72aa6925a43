"""Looks at runs, and at the processes that run them, while daemons come and go."""

import json
from typing import Any

import psutil

from lineagegraph.graph import Graph
from lineagegraph.ingest.numbering import number_changes
from lineagegraph.store.runs.state_changes import list_changes
from tests.acceptance.processes import Commands

PIPELINES = """
import lineagegraph as lg
from lineagegraph import on

@lg.task
def note():
    with open("ran.txt", "a") as file:
        print("ran", file=file)

lg.pipeline("after", tasks=[note], trigger=on.success("upstream"))
lg.pipeline("slow", tasks=[lg.command("sleep", ["sleep", "300"])])
lg.pipeline("mourner", tasks=[note], trigger=on.failure("slow"))
"""


def state(graph: Graph, job: str) -> str | None:
    rows = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r) RETURN r.state AS state, r.reason AS reason "
        "ORDER BY r.created_at DESC LIMIT 1",
        {"job": job},
    )
    return rows[0]["state"] if rows else None


def runs_of(graph: Graph, job: str) -> int:
    (row,) = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r) RETURN count(r) AS n", {"job": job}
    )
    return int(row["n"])


def status(commands: Commands) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(commands("status", "--json").stdout)
    return found


def worker_of(graph: Graph, job: str) -> int:
    (row,) = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r {launch: 'CLAIMED'}) RETURN r.owner AS owner",
        {"job": job},
    )
    return int(row["owner"].rpartition(":")[2])


def kill_worker(graph: Graph, job: str) -> None:
    worker = psutil.Process(worker_of(graph, job))
    # The worker first: it would tell how its programs ended.
    for process in [worker, *worker.children(recursive=True)]:
        process.kill()


def reason(graph: Graph, job: str) -> str | None:
    (row,) = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r) RETURN r.reason AS reason", {"job": job}
    )
    return row["reason"]


def told(graph: Graph, job: str) -> list[tuple[str, str | None]]:
    """The changes of state of a job's runs, with reasons, as followers are told them."""
    newest = number_changes(graph).newest
    found = graph.read(list_changes, after=0, until=newest)
    return [(change.state.value, change.reason) for change in found if change.name == job]
