"""Runs that triggers start are executed once, whichever daemon or server is killed meanwhile."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.mortal import Mortal, MortalServer, post_events
from tests.acceptance.processes import Commands, shared, until
from tests.events import run_event

DAEMONS, PRODUCERS, JOBS = 3, 2, 5
QUICK = {"LINEAGEGRAPH_HEARTBEAT_SECONDS": "1", "LINEAGEGRAPH_LEASE_SECONDS": "8"}
# The shell appends to the file in one write.
STATED = """
import lineagegraph as lg
from lineagegraph import on

for number in range({jobs}):
    note = lg.command("note", ["sh", "-c", "echo $LINEAGEGRAPH_RUN_ID >> {ran}"])
    lg.pipeline(f"after_{{number}}", tasks=[note], trigger=on.success(f"feed_{{number}}"))
"""
ENDED = """
MATCH (j:Job)-[:HAS_RUN]->(r:Run) WHERE j.simple_name = 'note'
RETURN r.id AS id, r.state AS state
"""


@pytest.mark.parametrize(
    ("runs", "deaths"),
    [
        pytest.param(10, 1, id="small"),
        pytest.param(300, 40, id="large", marks=pytest.mark.soak),
    ],
)
def test_each_completion_starts_a_run_that_is_executed_once(
    graph: Graph, server: ServerAddress, tmp_path: Path, runs: int, deaths: int
) -> None:
    commands = Commands(tmp_path, shared(server, tmp_path / "home") | QUICK)
    (tmp_path / "pipes.py").write_text(STATED.format(jobs=JOBS, ran=tmp_path / "ran.txt"))
    assert commands("sync", "pipes.py").returncode == 0
    told = [
        run_event(f"feed_{number % JOBS}", run_id=new_id(), at=datetime.now(UTC))
        for number in range(runs)
    ]
    with ExitStack() as living, ThreadPoolExecutor(PRODUCERS) as pool:
        mortals = [
            Mortal(
                commands.environment | {"LINEAGEGRAPH_HOME": str(tmp_path / f"home_{number}")},
                tmp_path,
                deaths,
                seed=number,
            )
            for number in range(DAEMONS)
        ]
        http = MortalServer(commands.environment, tmp_path, deaths)
        for mortal in (*mortals, http):
            living.enter_context(mortal)
        posting = [
            pool.submit(post_events, http.url, told[number::PRODUCERS], [])
            for number in range(PRODUCERS)
        ]
        for one in posting:
            one.result()
        until(lambda: len(ended(graph)) == runs, 60 + 10 * runs)
    assert Counter(ended(graph).values()) == {"COMPLETED": runs}
    ran = (tmp_path / "ran.txt").read_text().split()
    assert sorted(ran) == sorted(ended(graph))
    assert all(mortal.deaths < deaths for mortal in mortals)


def ended(graph: Graph) -> dict[str, str]:
    """Return the states of the tasks that ended, by run."""
    rows = graph.query(ENDED)
    return {row["id"]: row["state"] for row in rows if row["state"] not in (None, "RUNNING")}
