"""Tasks that workers run as they were kept, whatever became of the files that stated them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared

Run = Callable[..., str]
LIBRARY = """
import time
print("executed lib", file=open("executed.txt", "a"))
SCALE = 10
def scaled(x): return x * SCALE
class Row:
    def __init__(self, x): self.x = x
    def value(self): return scaled(self.x)
"""
LATE = "def late(x): return x + 1000\n"
PIPELINES = """
import threading, time
from functools import partial
import lineagegraph as lg
from etl import lib
from etl.lib import Row, scaled

print("executed", file=open("executed.txt", "a"))
time.sleep(1)
LOCK = threading.Lock()

def note(name, value):
    with open("out.txt", "a") as out:
        out.write(f"{name} {value}\\n")

def make(client):
    @lg.task(name=f"load_{client}")
    def load(month): note(client, scaled(month))
    return load

@lg.task
def whole(client, month): note(client, month)

@lg.task
def locked():
    with LOCK: note("locked", LOCK.locked())

@lg.task
def spark_task(spark):
    from pyspark.sql import functions as F
    from etl.late import late
    double = F.udf(lambda x: Row(x).value() + lib.scaled(1) + late(0), "int")
    once = spark.range(1, 3, 1, 1).select(double("id").alias("id"))
    twice = once.mapInPandas(lambda frames: map(doubled, frames), "id long")
    note("spark", [row.id for row in twice.collect()])

def doubled(frame): return scaled(frame)

lg.pipeline("kinds", params={"month": 3}, spark={"spark.master": "local[1]"}, tasks=[
    make("x"), make("y"), lg.task(partial(whole, client="q"), name="partial"),
    lg.task(lambda: note("lambda", lib.SCALE), name="lambda"), spark_task,
])
lg.pipeline("locks", tasks=[locked])

@lg.task
def divide(month):
    with open("etl/kinds.py", "w") as file:
        file.write("# edited\\n" * 70)
    return 1 / (month - 3)

lg.pipeline("fails", tasks=[divide], params={"month": 3})
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "etl").mkdir(parents=True)
    (folder / "lineagegraph.toml").touch()
    (folder / "etl/lib.py").write_text(LIBRARY)
    (folder / "etl/late.py").write_text(LATE)
    (folder / "etl/kinds.py").write_text(PIPELINES)
    return folder


@pytest.fixture
def lineagegraph(graph: Graph, server: ServerAddress, project: Path, tmp_path: Path) -> Run:
    """Run a command, which must succeed unless told otherwise."""
    commands = Commands(project, shared(server, tmp_path / "home"))

    def run(*words: str, code: int = 0) -> str:
        done = commands(*words, seconds=300)
        assert done.returncode == code, (done.stdout, done.stderr)
        return done.stdout + done.stderr

    run("sync", "etl")
    (project / "executed.txt").unlink()
    return run


def last_run(graph: Graph, job: str) -> dict[str, Any]:
    rows = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r) RETURN r {.*} AS run ORDER BY r.created_at DESC",
        {"job": job},
    )
    found: dict[str, Any] = rows[0]["run"]
    return found


def test_functions_of_all_kinds_run_though_their_files_are_gone_and_spark_has_them_too(
    lineagegraph: Run, project: Path
) -> None:
    (project / "etl/kinds.py").unlink()
    (project / "etl/lib.py").write_text("SCALE = -1\ndef scaled(x): raise ValueError\n")
    (project / "etl/late.py").write_text("def late(x): raise ValueError\n")
    lineagegraph("run", "kinds", "--wait")
    assert sorted((project / "out.txt").read_text().splitlines()) == [
        "lambda 10",
        "q 3",
        "spark [10200, 10300]",
        "x 30",
        "y 30",
    ]
    assert not (project / "executed.txt").exists()


def test_a_task_with_what_cannot_be_pickled_runs_from_its_archived_file(
    lineagegraph: Run, project: Path
) -> None:
    lineagegraph("run", "locks", "--wait")
    assert (project / "out.txt").read_text() == "locked True\n"
    assert "executed\n" in (project / "executed.txt").read_text()


def test_a_failure_shows_the_line_that_ran_though_the_file_was_edited_meanwhile(
    lineagegraph: Run, project: Path, graph: Graph, tmp_path: Path
) -> None:
    lineagegraph("run", "fails", "--wait", code=1)
    assert (project / "etl/kinds.py").read_text().startswith("# edited")
    log = (tmp_path / "home/logs" / last_run(graph, "fails")["id"] / "divide.log").read_text()
    assert re.search(r'/etl/kinds\.py", line \d+, in divide\n\S+ +return 1 / \(month - 3\)', log)
