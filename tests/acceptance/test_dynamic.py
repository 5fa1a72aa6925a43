"""Pipelines whose tasks follow from data, run by real workers from the command line."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pydantic import SecretStr

from lineagegraph.admin.variables import set_variable
from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.expansions import read_expansions
from lineagegraph.worker.launcher import Launcher
from tests.acceptance.processes import Commands, shared, until

LOADING = """
import json
import sys
from pathlib import Path
import lineagegraph as lg

FILES = lg.variable("files", default=["a", "b"])

def double(n):
    return n * 2

@lg.task
def load(file, number):
    if (Path(__file__).parent / "broken").exists() or (Path("broken")).exists():
        raise OSError(file)
    with open("loaded.txt", "a") as out:
        out.write(f"{file} {double(number)} {lg.variable('rate', default=1)}\\n")

@lg.task
def find():
    with open("loaded.txt", "a") as out:
        out.write("find\\n")
    lg.expand(load, file=FILES, number=range(len(FILES)), keys="file")

lg.pipeline("loading", tasks=[find, lg.command("report", ["true"], after=find)], concurrency=1)
"""

Write = Callable[[str, str], None]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def write(project: Path) -> Write:
    return lambda name, text: (project / name).write_text(dedent(text)) and None


@pytest.fixture
def lineagegraph(
    graph: Graph, server: ServerAddress, project: Path, tmp_path: Path
) -> Callable[..., Any]:
    """Run a command, which must succeed unless told otherwise."""
    commands = Commands(project, shared(server, tmp_path / "home"))

    def run(*words: str, code: int = 0) -> str:
        done = commands(*words)
        assert done.returncode == code, (done.stdout, done.stderr)
        return done.stdout + done.stderr

    return run


def last_run(graph: Graph, job: str) -> dict[str, Any]:
    rows = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r) RETURN r {.*} AS run ORDER BY r.created_at DESC",
        {"job": job},
    )
    return rows[0]["run"]


def states(graph: Graph, run_id: str) -> dict[str, str]:
    rows = graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF*]->(r:Run) RETURN r.name AS name, r.state AS state",
        {"id": run_id},
    )
    return {row["name"]: row["state"] for row in rows}


def rerun(graph: Graph, original: dict[str, Any], only: list[str]) -> str:
    """Queue a run of some tasks of an earlier one."""
    run_id = new_id()
    queued = {"job_key": original["job_key"], "params": None, "only": only, "now": None}
    graph.write(launches.merge_queued, run_id=run_id, **queued)
    with graph.autocommit() as session:
        text = "MATCH (r:Run {id: $run}), (old:Run {id: $old}) CREATE (r)-[:RERUN_OF]->(old)"
        session.run(text, {"run": run_id, "old": original["id"]}).consume()
    return run_id


def here(server: ServerAddress, home: Path) -> Settings:
    return Settings(
        home=home,
        neo4j_uri=server.bolt,
        neo4j_user=server.user,
        neo4j_password=SecretStr(server.password),
    )


def run_here(graph: Graph, server: ServerAddress, home: Path, run_id: str) -> int:
    worker = Launcher(graph, here(server, home), "test").launch(run_id)
    assert worker is not None
    return worker.process.wait(60)


def test_a_run_adds_tasks_over_values_that_only_a_task_knows(
    graph: Graph, write: Write, lineagegraph: Callable[..., str], project: Path
) -> None:
    write("etl.py", LOADING)
    set_variable(graph, "rate", 5)
    lineagegraph("sync", "etl.py")
    lineagegraph("run", "loading")
    assert (project / "loaded.txt").read_text() == "find\na 0 5\nb 2 5\n"
    run = last_run(graph, "loading")
    assert states(graph, run["id"]) == {
        "loading.find": "COMPLETED",
        "loading.load": "COMPLETED",
        "loading.load.a": "COMPLETED",
        "loading.load.b": "COMPLETED",
        "loading.report": "COMPLETED",
    }
    (kept,) = graph.read(read_expansions, run["id"])
    assert (kept.path, kept.work.keys) == ("load", ("a", "b"))
    assert kept.work.values == ({"file": "a", "number": 0}, {"file": "b", "number": 1})
    (version,) = graph.query("MATCH (v:JobVersion) RETURN v.definition AS text")
    assert [task["name"] for task in json.loads(version["text"])["tasks"]] == ["find", "report"]


def test_a_failed_task_that_was_added_runs_again_without_the_one_that_added_it(
    graph: Graph,
    server: ServerAddress,
    write: Write,
    lineagegraph: Callable[..., str],
    project: Path,
) -> None:
    write("etl.py", LOADING)
    (project / "broken").touch()
    lineagegraph("sync", "etl.py")
    lineagegraph("run", "loading", code=1)
    failed = last_run(graph, "loading")
    assert states(graph, failed["id"])["loading.load.a"] == "FAILED"
    (project / "broken").unlink()
    (project / "loaded.txt").unlink()
    again = rerun(graph, failed, ["load.b", "report"])
    assert run_here(graph, server, project.parent / "home", again) == 0
    assert (project / "loaded.txt").read_text() == "b 2 1\n"
    assert states(graph, again) == {
        "loading.load": "COMPLETED",
        "loading.load.b": "COMPLETED",
        "loading.report": "COMPLETED",
    }
    kept = graph.read(read_expansions, again)
    assert kept == graph.read(read_expansions, failed["id"])


CAPTURING = """
from threading import Lock
import lineagegraph as lg

def fill(day):
    kept = day

    def load(part):
        with open(f"loaded-{part}.txt", "a") as out:
            out.write(kept)
        if open("broken").read():
            raise OSError(part)

    lg.expand(load, part=["a"])

def lock():
    held = Lock()
    lg.expand(lambda part: held, name="locked", part=["b"])

lg.pipeline("filling", tasks=[lg.task(fill)], params={"day": str})
lg.pipeline("locking", tasks=[lg.task(lock)])
"""


def test_an_added_function_is_kept_with_what_it_captured(
    graph: Graph,
    server: ServerAddress,
    write: Write,
    lineagegraph: Callable[..., str],
    project: Path,
) -> None:
    write("etl.py", CAPTURING)
    write("broken", "yes")
    lineagegraph("sync", "etl.py")
    lineagegraph("run", "filling", "-p", "day=Monday", code=1)
    failed = last_run(graph, "filling")
    write("etl.py", "raise SystemExit")
    write("broken", "")
    again = rerun(graph, failed, ["load.0"])
    with graph.autocommit() as session:
        text = "MATCH (r:Run {id: $id}) SET r.params = $params"
        session.run(text, {"id": again, "params": '{"day": "Friday"}'}).consume()
    home = project.parent / "home"
    assert run_here(graph, server, home, again) == 0
    assert (project / "loaded-a.txt").read_text() == "MondayMonday"


def test_an_added_function_that_cannot_be_kept_is_refused(
    write: Write, lineagegraph: Callable[..., str]
) -> None:
    write("etl.py", CAPTURING)
    lineagegraph("sync", "etl.py")
    printed = lineagegraph("run", "locking", code=1)
    assert "task locked cannot be given to another process" in printed
    assert "define it at the top of a module" in printed


STUCK = """
import time
from pathlib import Path
import lineagegraph as lg

def load(part):
    with open("loaded.txt", "a") as out:
        out.write(part)
    while part == "b" and not Path("go").exists():
        time.sleep(0.1)

@lg.task
def find():
    with open("loaded.txt", "a") as out:
        out.write("find ")
    lg.expand(load, part=["a", "b", "c"])

lg.pipeline("stuck", tasks=[find, lg.command("say", ["sh", "-c", "{SAY}"], after=find,
                                            pass_env=["LINEAGEGRAPH_NEO4J_PASSWORD"])],
            concurrency=1)
""".replace("{SAY}", f"{sys.executable} -m lineagegraph.cli variable get rate > rate.txt")


def test_a_killed_run_leaves_one_structure_from_which_what_is_missing_runs(
    graph: Graph,
    server: ServerAddress,
    write: Write,
    lineagegraph: Callable[..., str],
    project: Path,
) -> None:
    set_variable(graph, "rate", 5)
    write("etl.py", STUCK)
    lineagegraph("sync", "etl.py")
    launcher, run_id = launch(graph, server, project.parent / "home", "stuck")
    loaded = project / "loaded.txt"
    until(lambda: loaded.exists() and loaded.read_text() == "find ab", 120)
    launcher.kill()
    until(lambda: launcher.collect_ended() is not None and not launcher.workers)
    (kept,) = graph.read(read_expansions, run_id)
    assert kept.work.keys == ("0", "1", "2")
    assert states(graph, run_id)["stuck.load.1"] == "FAILED"
    write("go", "")
    lineagegraph("rerun", run_id, "--policy", "as_was", "--from-failed")
    assert loaded.read_text() == "find abbc"
    again = last_run(graph, "stuck")
    assert (again["state"], again["id"] == run_id) == ("COMPLETED", False)
    assert graph.read(read_expansions, again["id"]) == (kept,)
    assert (project / "rate.txt").read_text() == "5\n"
    assert json.loads(again["variables"]) == {"rate": 5}


def launch(graph: Graph, server: ServerAddress, home: Path, job: str) -> tuple[Launcher, str]:
    """Start a run of a pipeline in a worker of this process."""
    (row,) = graph.query("MATCH (j:Job {fqn: $name}) RETURN j.key AS key", {"name": job})
    queued = {"job_key": row["key"], "params": None, "only": [], "now": None}
    graph.write(launches.merge_queued, run_id=(run_id := new_id()), **queued)
    launcher = Launcher(graph, here(server, home), "test")
    assert launcher.launch(run_id)
    return launcher, run_id
