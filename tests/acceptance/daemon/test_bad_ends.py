"""Tasks whose ends are hard to report: crashes, huge errors, and code that never ran."""

import json

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, until

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
OWN = """
import lineagegraph as lg

def is_there():
    return True

@lg.task
def imports():
    __import__("".join(["comp", "uted"]))

there = lg.sensor(is_there, poke_interval="1s")
lg.pipeline("own", tasks=[imports, there])
"""
COMPLETED = """
MATCH (:Job {fqn: 'own'})-[:HAS_RUN]->(r:Run {state: 'COMPLETED'}) RETURN r.id
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


def test_files_of_a_project_that_are_named_like_modules_of_python_and_libraries_end_no_worker(
    commands: Commands, graph: Graph
) -> None:
    for name in ("json.py", "neo4j.py", "structlog.py"):
        (commands.folder / name).write_text("raise SystemExit('the wrong module')\n")
    (commands.folder / "computed.py").write_text("")
    (commands.folder / "own.py").write_text(OWN)
    found = sync_path(graph, Settings(home=commands.folder / "home"), commands.folder / "own.py")
    assert not found.failures
    ended = commands("run", "own", "--wait")
    assert state(graph, "own") == "COMPLETED", ended.stdout + ended.stderr
    assert commands("up", "--detach").returncode == 0
    commands("run", "own")
    until(lambda: len(graph.query(COMPLETED)) == 2, 60)
