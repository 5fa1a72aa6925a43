"""Tasks whose ends are hard to report: crashes, huge errors, and code that never ran."""

import json

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands

TASKS = """
import functools, os, subprocess
import lineagegraph as lg

@lg.task(emits={"rows": int})
def emits_and_crashes():
    lg.emit(rows=7)
    lg.emit(rows=12)
    os._exit(3)

@lg.task
def fails_at_length():
    raise ValueError("begin " + "x" * 3_000_000 + " end")

@lg.task
def skips_at_length():
    lg.skip("y" * 3_000_000)

def logged(function):
    @functools.wraps(function)
    def around(*args, **kwargs):
        return function(*args, **kwargs)
    return around

@lg.task
@logged
def never_runs():
    raise AssertionError
    yield

async def rows():
    yield 1

asynchronous = lg.task(lambda: rows(), name="asynchronous")
lg.pipeline("bad", tasks=[
    emits_and_crashes, fails_at_length, skips_at_length, never_runs, asynchronous
])
"""
ENDS = """
MATCH (:Job {fqn: 'bad'})-[:HAS_RUN]->(top:Run)-[:PARENT_OF]->(r:Run)<-[:HAS_RUN]-(j:Job)
RETURN j.simple_name AS task, r.state AS state, coalesce(r.message, r.error) AS message,
       r.emitted AS emitted, top.emitted AS all
"""
LONGEST = """
MATCH (n) UNWIND keys(n) AS key
WITH n[key] AS value WHERE value IS :: STRING
RETURN max(size(value)) AS size
"""


def test_crashed_tasks_keep_what_they_emitted_and_huge_errors_are_cut_and_generators_fail(
    commands: Commands, graph: Graph
) -> None:
    (commands.folder / "bad.py").write_text(TASKS)
    sync_path(graph, Settings(home=commands.folder / "home"), commands.folder / "bad.py")
    commands("run", "bad", "--wait")
    assert state(graph, "bad") == "FAILED"
    ends = {row["task"]: row for row in graph.query(ENDS)}

    crashed = ends["emits_and_crashes"]
    assert "exit status 3" in crashed["message"]
    assert json.loads(crashed["emitted"]) == {"rows": 12}
    assert json.loads(crashed["all"]) == {"emits_and_crashes": {"rows": 12}}

    failed = ends["fails_at_length"]
    assert failed["message"].startswith("ValueError: begin xxx")
    assert failed["message"].endswith("xxx end")
    assert "characters are left out" in failed["message"]
    assert len(failed["message"]) < 4_001
    assert max(row["size"] for row in graph.query(LONGEST)) < 150_000
    assert ends["skips_at_length"]["state"] == "SKIPPED"
    assert len(ends["skips_at_length"]["message"]) < 4_001

    for name in ("never_runs", "asynchronous"):
        assert ends[name]["state"] == "FAILED"
        assert "generator, so its code has not run" in ends[name]["message"]
