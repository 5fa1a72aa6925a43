"""How soon a task that waits goes on, and what many waits cost: `python -m bench.waits`.

First 5,000 tasks that wait for 50 parents: a round that finds nothing due, one in which all are
due, and one after one parent completed. Then a batch that waits for a task of another, carried out
by a daemon, again and again: from the commit of the parent's end to the start of the child, by the
database's clock.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from bench.load import percentile, serving
from lineagegraph import neo4j_server
from lineagegraph.freshness.due_waits import end_due_waits
from lineagegraph.graph import Graph
from lineagegraph.model.freshness.terms import Counts
from lineagegraph.settings import Settings
from lineagegraph.store.connect import open_graph

PARENTS = 50
CHILDREN = 100
MANY = """
UNWIND range(0, $parents - 1) AS p
CREATE (j:Job {key: 'parent' + p, namespace: 'default', name: 'parent' + p, fqn: 'parent' + p})
WITH j, p
UNWIND range(0, $children - 1) AS c
CREATE (top:Run {id: 'top' + p + '-' + c, launch: 'PARKED', fence: 1, state: 'RUNNING'})
CREATE (top)-[:PARENT_OF]->(r:Run {id: 'child' + p + '-' + c, state: 'WAITING'})
CREATE (r)-[:WAITS_ON {
  kind: 'PARENT', root_id: top.id, freshness: '{"since": "day"}', parts: [], recheck: 120.0,
  submitted_at: datetime.realtime(), began_at: datetime.realtime(),
  deadline: datetime.realtime() + duration('PT1H'),
  next_at: datetime.realtime() + duration('PT10M')
}]->(j)
"""
DUE = "MATCH ()-[w:WAITS_ON]->(j:Job) WHERE {which} SET w.next_at = datetime.realtime()"
COMPLETED = """
CREATE (:Run {id: 'done', job_key: 'parent7', state: 'COMPLETED', ended_at: datetime.realtime(),
  started_at: datetime.realtime()})
"""
BATCHES = """
import lineagegraph as lg

fx = lg.command("fx", ["true"], freshness=lg.freshness(0))
lg.batch("finance", tasks=[fx])
need = lg.depends("finance.fx", max_age=0)
daily = lg.command("daily", ["true"], dependencies=[need], freshness=lg.freshness(0))
lg.batch("kpi", tasks=[daily])
"""
LATEST = """
MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r:Run)
RETURN r.state AS state, r.started_at AS started, r.ended_at AS ended
ORDER BY r.created_at DESC LIMIT 1
"""


def main() -> None:
    """Measure, and print lines for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=40, help="how often a child is woken")
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        settings = Settings(home=home, neo4j_uri=None, port=0)
        with serving(home), open_graph(settings) as graph:
            found = [_wake(graph, home, first=number == 0) for number in range(times)]
            p50, p95 = (percentile(found, percent) for percent in (50, 95))
            print(f"from the parent's end to the child's start: p50 {p50:.0f} ms, p95 {p95:.0f} ms")
        try:
            with open_graph(settings) as graph:
                _rounds(graph)
        finally:
            neo4j_server.stop(settings)


def _rounds(graph: Graph) -> None:
    graph.query(MANY, {"parents": PARENTS, "children": CHILDREN}, write=True)

    def settle() -> int:
        return len(graph.write(end_due_waits, zone="UTC", counts=Counts.END))

    _tell("none due", settle)
    graph.query(DUE.format(which="true"), write=True)
    _tell("5,000 due, none met", settle)
    graph.query(COMPLETED, write=True)
    graph.query(DUE.format(which="j.key = 'parent7'"), write=True)
    _tell("one parent of 100 completed", settle)


def _tell(what: str, work: Callable[[], int]) -> None:
    began = time.perf_counter()
    woken = work()
    print(f"{what}: {(time.perf_counter() - began) * 1000:.0f} ms, {woken} runs go on")


def _wake(graph: Graph, home: Path, *, first: bool) -> float:
    """Let a child wait and its parent complete; return the seconds in between."""
    if first:
        (home / "batches.py").write_text(BATCHES)
        _command(home, "sync", "batches.py")
    _command(home, "run", "kpi")
    _until(graph, "kpi.daily", lambda row: row["state"] == "WAITING")
    _command(home, "run", "finance")
    child = _until(graph, "kpi.daily", lambda row: row["state"] == "COMPLETED")
    parent = _until(graph, "finance.fx", lambda row: row["state"] == "COMPLETED")
    waited: timedelta = child["started"] - parent["ended"]
    return waited.total_seconds()


def _until(
    graph: Graph, job: str, holds: Callable[[dict[str, datetime]], bool]
) -> dict[str, datetime]:
    while True:
        rows = graph.query(LATEST, {"job": job})
        if rows and holds(rows[0]):
            return rows[0]
        time.sleep(0.05)


def _command(home: Path, *words: str) -> None:
    environment = os.environ | {"LINEAGEGRAPH_HOME": str(home), "LINEAGEGRAPH_PORT": "0"}
    subprocess.run(
        [sys.executable, "-m", "lineagegraph.cli", *words],
        env=environment,
        cwd=home,
        check=True,
        stdout=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    main()
