"""Milliseconds and firings of triggers: `python -m bench.triggers [--home FOLDER] [--most 16000]`.

Fills a graph with triggers, each on the end of a job of its own, with an argument from its payload,
and measures with a tenth of them and with all: how long the transaction takes that commits an end
and the firing with it; how many firings a second eight processes reach that ask triggers about runs
that ended, in batches of 50; and what a daemon and Neo4j cost when nothing happens.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import psutil

from bench.load import Seconds, percentile
from lineagegraph import neo4j_server
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.trigger import Argument, Trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reactions.commit import commit
from lineagegraph.settings import Settings
from lineagegraph.store.jobs import jobs
from lineagegraph.triggers.react import react
from lineagegraph.triggers.write import write_trigger

MOST = 16_000
ASKED = 300
BURST = 4_000
BATCH = 50
PROCESSES = 8
IDLE_SECONDS = 30.0
SETTLE_SECONDS = 60.0
TEMPLATE = "template"
CLONE = """
MATCH (t:Trigger {name: 'template'})-[:HAS_CONDITION]->(c:Condition)
UNWIND $rows AS row
CREATE (watched:Job {key: row.watched_key, namespace: 'bench', name: row.watched,
  simple_name: row.watched, fqn: row.watched, kind: 'external', kind_said: '', stub: true,
  defined: false})
CREATE (started:Job {key: 'started ' + row.number, namespace: 'bench',
  name: 'started ' + row.number, simple_name: 'started ' + row.number,
  fqn: 'started ' + row.number, kind: 'pipeline', kind_said: '', stub: false, defined: false})
CREATE (new:Trigger)
SET new = t {.*, id: 'trigger ' + row.number, name: 'trigger ' + row.number}
CREATE (condition:Condition)
SET condition = c {.*, id: 'condition ' + row.number}
CREATE (new)-[:STARTS]->(started), (new)-[:WHEN]->(condition)
CREATE (new)-[:HAS_CONDITION]->(condition), (condition)-[:WATCHES]->(watched)
"""


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="keep the graph here")
    parser.add_argument("--most", type=int, default=MOST, help="how many triggers in the end")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=given.home or Path(folder), neo4j_uri=None)
        address = neo4j_server.start(settings, answers)
        try:
            measure(settings, address, given.most)
        finally:
            neo4j_server.stop(settings)


def measure(settings: Settings, address: ServerAddress, most: int) -> None:
    """Print the rows of both sizes."""
    print("| triggers | an end and its firing, p50 ms | p95 ms | firings/s, 8 processes |")
    print("|---:|---:|---:|---:|")
    with Graph(address.bolt, address.user, address.password) as graph:
        migrate(graph)
        make_template(graph)
        known = 0
        for triggers in (most // 10, most):
            make_triggers(graph, known, triggers)
            known = triggers
            times = end_runs(graph, triggers)
            rate = burst(graph, address, triggers)
            cells = [f"{percentile(times, p):.1f}" for p in (50, 95)]
            print(f"| {triggers:,} | {' | '.join(cells)} | {rate:.0f} |", flush=True)
        print(f"\nIdle, {most:,} triggers: {idle(graph, settings, psutil.Process(address.pid))}")


def make_template(graph: Graph) -> None:
    """Write one trigger as everybody does, to make the others from."""
    key = job_key(None, "bench", TEMPLATE)
    row = {"key": key, "namespace": "bench", "name": TEMPLATE, "simple_name": TEMPLATE}
    graph.write(jobs.merge_jobs, rows=[row | {"fqn": TEMPLATE, "parent_key": None}])
    rule = Trigger(
        when=OnStatus(job="awaited", statuses=(RunState.COMPLETED,)),
        arguments=(Argument(parameter="rows", key="rows"),),
    )
    graph.write(write_trigger, rule, starts=key, name=TEMPLATE, namespace="bench")


def make_triggers(graph: Graph, first: int, last: int) -> None:
    """Make copies of the template, each with jobs of its own."""
    rows = [
        {
            "number": number,
            "watched": f"watched{number}",
            "watched_key": job_key(None, "bench", f"watched{number}"),
        }
        for number in range(first, last)
    ]
    for begin in range(0, len(rows), 1000):
        graph.query(CLONE, {"rows": rows[begin : begin + 1000]}, write=True)


def end_runs(graph: Graph, triggers: int) -> Seconds:
    """Commit the end of one run after the other; each fires one trigger."""
    times = []
    for number in range(ASKED + 50):
        batch = extract([ended(number * triggers // (ASKED + 50))])
        began = time.perf_counter()
        fired = graph.write(commit, batch)
        times.append(time.perf_counter() - began)
        if len(fired) != 1:
            raise RuntimeError(f"{len(fired)} firings in the place of one")
    return times[50:]


def burst(graph: Graph, address: ServerAddress, triggers: int) -> float:
    """Return the firings a second of eight processes, for runs that ended before."""
    events = [ended(number % triggers) for number in range(BURST)]
    ids: list[str] = [event["run"]["runId"] for event in events]
    for begin in range(0, BURST, 500):
        graph.write(record, extract(events[begin : begin + 500]))
    batches = [ids[begin : begin + BATCH] for begin in range(0, BURST, BATCH)]
    spawn = get_context("spawn")
    with spawn.Pool(PROCESSES, initializer=connect, initargs=(address,)) as pool:
        pool.map(ask, [[] for _ in range(PROCESSES * 4)], chunksize=1)
        began = time.perf_counter()
        fired = sum(pool.map(ask, batches, chunksize=1))
        took = time.perf_counter() - began
    if fired != BURST:
        raise RuntimeError(f"{fired} firings in the place of {BURST}")
    return fired / took


_graph: list[Graph] = []


def connect(address: ServerAddress) -> None:
    """Open the connection of a process."""
    _graph.append(Graph(address.bolt, address.user, address.password))


def ask(run_ids: Sequence[str]) -> int:
    """Ask triggers about runs, and return how many fired."""
    return len(_graph[0].write(react, run_ids)) if run_ids else 0


def idle(graph: Graph, settings: Settings, server: psutil.Process) -> str:
    """Return what a daemon and Neo4j cost while nothing happens, in percent of a core."""
    graph.query("MATCH (r:Run) WHERE r.launch IS NOT NULL REMOVE r.launch", write=True)
    daemon = Daemon(graph, settings)
    processes = (psutil.Process(), server)
    daemon.start()
    time.sleep(SETTLE_SECONDS)
    before = [spent(one) for one in processes]
    time.sleep(IDLE_SECONDS)
    spans = [spent(one) - was for one, was in zip(processes, before, strict=True)]
    daemon.stop()
    mine, its = (100 * span / IDLE_SECONDS for span in spans)
    return f"daemon {mine:.1f} %, Neo4j {its:.1f} % of a core"


def spent(process: psutil.Process) -> float:
    """Return the seconds of a core that a process has used."""
    times = process.cpu_times()
    return float(times.user + times.system)


def ended(number: int) -> dict[str, Any]:
    """Return the end of a new run of a watched job."""
    own = {"_producer": "bench", "_schemaURL": "bench", "params": {"rows": number}}
    return {
        "eventType": "COMPLETE",
        "eventTime": datetime.now(UTC).isoformat(),
        "producer": "bench",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": new_id(), "facets": {"lineagegraph": own}},
        "job": {"namespace": "bench", "name": f"watched{number}", "facets": {}},
        "inputs": [],
        "outputs": [],
    }


if __name__ == "__main__":
    main()
