"""How long it takes to judge what has terms of freshness: `python -m bench.freshness [--nodes N]`.

A graph of tables in layers, each made from three of the layer before by a job of its own, all with
terms. Half of them are late, behind a hundredth of the sources, whose jobs failed.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from lineagegraph import neo4j_server
from lineagegraph.daemon.freshness import tell_freshness
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.queries.freshness.freshness import read_standings, with_causes
from lineagegraph.settings import Settings

NODES = 10_000
RUNS = 10
LAYERS = 10
ROUNDS = 3
TABLES = """
UNWIND range(0, $width - 1) AS i
WITH i, $layer AS layer
WITH i, layer, 'd' + layer + '_' + i AS dataset, 'j' + layer + '_' + i AS job,
  datetime.realtime() - CASE WHEN i % 2 = 0 THEN duration('PT1H') ELSE duration('PT48H') END AS at
CREATE (d:Dataset {key: dataset, namespace: 'lake', name: dataset})
CREATE (j:Job {key: job, namespace: 'default', name: job, fqn: job, simple_name: job, kind: 'task'})
CREATE (j)-[:PRODUCES]->(d)
CREATE (v:DatasetVersion {key: dataset + '@1', dataset_key: dataset, written_at: at})
CREATE (d)-[:HAS_VERSION]->(v)
CREATE (d)-[:HAS_TERMS]->(:Terms {key: dataset, node: dataset, stated: false, max_age: 86400.0,
  grace: 1800.0, set_at: at, any_partition: false})
WITH i, layer, job, j, at
UNWIND range(1, $runs) AS n
WITH i, layer, job, j, n, at - duration({days: n - 1}) AS ended
CREATE (r:Run {id: job + '#' + n, job_key: job, created_at: ended, ended_at: ended,
  state: CASE WHEN layer = 0 AND i % 100 = 1 AND n = 1 THEN 'FAILED' ELSE 'COMPLETED' END})
CREATE (j)-[:HAS_RUN {adopted: false}]->(r)
"""
FLOWS = """
UNWIND range(0, $width - 1) AS i
WITH i, $layer AS layer WHERE layer > 0
MATCH (j:Job {key: 'j' + layer + '_' + i})
UNWIND [0, 2, 10] AS step
MATCH (d:Dataset {key: 'd' + (layer - 1) + '_' + ((i + step) % $width)})
CREATE (d)-[:FEEDS]->(j)
"""


def main() -> None:
    """Measure, and print lines for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=NODES)
    nodes = parser.parse_args().nodes
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home), neo4j_uri=None, port=0)
        address = neo4j_server.start(settings, answers)
        try:
            with Graph(address.bolt, address.user, address.password) as graph:
                migrate(graph)
                _fill(graph, nodes // LAYERS)
                _measure(graph, settings)
        finally:
            neo4j_server.stop(settings)


def _fill(graph: Graph, width: int) -> None:
    for layer in range(LAYERS):
        given = {"width": width, "layer": layer, "runs": RUNS}
        for statement in (TABLES, FLOWS):
            graph.query(statement, given, write=True)


def _measure(graph: Graph, settings: Settings) -> None:
    standings = read_standings(graph, "UTC")
    print(f"{len(standings)} nodes, {sum(one.state == 'stale' for one in standings)} stale")
    _time("states of all", lambda: read_standings(graph, "UTC"))
    _time("states and causes of all", lambda: with_causes(graph, "UTC", standings))
    late = [one for one in standings if one.state == "stale"][-1:]
    _time("cause of one in the last layer", lambda: with_causes(graph, "UTC", late))
    began = time.perf_counter()
    told = tell_freshness(graph, settings)
    print(f"first look of a daemon, which notes {told}: {time.perf_counter() - began:.2f} s")
    _time("a later look, with nothing to tell", lambda: tell_freshness(graph, settings))


def _time(what: str, work: Callable[[], object]) -> None:
    """Print the best of some rounds: others share the machine."""
    took = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    print(f"{what}: {min(took):.3f} s")


if __name__ == "__main__":
    main()
