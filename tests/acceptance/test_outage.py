"""Neo4j dies in mid-run and comes back: every task ends as if nothing had happened."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lineagegraph import neo4j_server
from lineagegraph.execution.spool import list_spools, read_spool
from lineagegraph.graph import Graph, answers
from lineagegraph.ingest.numbering import number_changes
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.notebook.widgets import LiveRun
from lineagegraph.settings import Settings
from lineagegraph.store.runs.state_changes import list_changes
from tests.acceptance.driving.kernel import kernel
from tests.acceptance.driving.test_in_a_kernel import SESSION
from tests.acceptance.processes import Commands, kill_neo4j, shared, until

PIPELINE = """
import lineagegraph as lg

def step(number):
    before = [f"step{number - 1}"] if number else []
    words = f"echo step{number} >> ran.txt; sleep SECONDS"
    return lg.command(f"step{number}", ["sh", "-c", words], after=before)

@lg.task
def count(spark):
    numbers = spark.range(1000).selectExpr("id % 7 AS k")
    numbers.groupBy("k").count().write.mode("overwrite").parquet("counts.parquet")
    with open("ran.txt", "a") as file:
        print("count", file=file)

tasks = [count, *map(step, range(5))]
lg.KIND("outlives", tasks=tasks, concurrency=2, spark={"spark.master": "local[1]"})
"""
STEPS = [f"step{number}" for number in range(5)]
QUICK = {
    "LINEAGEGRAPH_HEARTBEAT_SECONDS": "1",
    "LINEAGEGRAPH_LEASE_SECONDS": "4",
    "LINEAGEGRAPH_TICK_SECONDS": "0.5",
}


def ran(folder: Path) -> list[str]:
    found = folder / "ran.txt"
    return found.read_text().split() if found.exists() else []


def state(commands: Commands, seconds: float, kind: str = "pipeline") -> None:
    """State what is to run."""
    text = PIPELINE.replace("SECONDS", str(seconds)).replace("KIND", kind)
    (commands.folder / "pipes.py").write_text(text)
    commands("sync", "pipes.py")


def begin(commands: Commands, seconds: float, kind: str = "pipeline") -> str:
    """Start the run, and return its id once the first of its commands is under way."""
    state(commands, seconds, kind)
    run_id = commands("run", "outlives").stdout.strip()
    until(lambda: ran(commands.folder), seconds=60)
    return run_id


def spooled(commands: Commands, run_id: str) -> list[str]:
    """The names of what is told in the spool of the run's worker."""
    logs = Path(commands.environment["LINEAGEGRAPH_HOME"]) / "logs" / run_id
    events = [event for _, path in list_spools(logs) for event in read_spool(path)]
    return [f"{event['job']['name']} {event['eventType']}" for event in events]


def runs(commands: Commands, job: str) -> list[dict[str, Any]]:
    found = commands("runs", job, "--json")
    return json.loads(found.stdout) if found.returncode == 0 else []


def check_all_went_well(graph: Graph, folder: Path) -> None:
    assert sorted(ran(folder)) == ["count", *STEPS]
    told: dict[str, list[str]] = {}
    for change in graph.read(list_changes, after=0, until=number_changes(graph).newest):
        told.setdefault(change.name, []).append(change.state.value)
    assert told.pop("outlives") == ["PENDING", "RUNNING", "COMPLETED"]
    steps = {name: told[f"outlives.{name}"] for name in ["count", *STEPS]}
    assert set(map(tuple, steps.values())) == {("RUNNING", "COMPLETED")}
    (run,) = graph.query(
        "MATCH (r:Run {name: 'outlives'}) OPTIONAL MATCH (r)-[:PARENT_OF*]->()-[w:WRITES]->(v) "
        "WHERE v.written_at IS NOT NULL RETURN r.launches AS launches, count(w) AS written"
    )
    assert run == {"launches": 1, "written": 1}


STEP = "outlives.step0"


def has_ended(commands: Commands) -> bool:
    return [run["state"] for run in runs(commands, "outlives")] == ["COMPLETED"]


def test_a_killed_neo4j_is_started_again_and_no_task_is_lost_or_run_twice(tmp_path: Path) -> None:
    home = tmp_path / "home"
    managed = {
        "LINEAGEGRAPH_HOME": str(home),
        "LINEAGEGRAPH_NEO4J_HEAP": "512m",
        "LINEAGEGRAPH_NEO4J_PAGE_CACHE": "64m",
        "LINEAGEGRAPH_PORT": "0",
    }
    commands = Commands(tmp_path, managed | QUICK)
    try:
        assert commands("up", "--detach", seconds=300).returncode == 0
        run_id = begin(commands, 2)
        kill_neo4j(home)
        # On a busy machine Neo4j may be back before the step has ended.
        until(lambda: has_ended(commands) or f"{STEP} COMPLETE" in spooled(commands, run_id), 120)
        until(lambda: has_ended(commands), 120)
        until(lambda: spooled(commands, run_id) == [])
        address = neo4j_server.start(Settings(home=home), answers)
        with Graph(address.bolt, address.user, address.password) as graph:
            check_all_went_well(graph, tmp_path)
    finally:
        commands("down")


class Apart(NamedTuple):
    """A Neo4j that can be killed, and commands beside it."""

    settings: Settings
    address: ServerAddress
    commands: Commands

    def be_away(self, seconds: float, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Kill Neo4j, and start it again after a while."""
        kill_neo4j(self.settings.home)
        meanwhile()
        time.sleep(seconds)
        neo4j_server.start(self.settings, answers)


@pytest.fixture
def apart(tmp_path: Path) -> Iterator[Apart]:
    own = Settings(home=tmp_path / "db", neo4j_heap="512m", neo4j_page_cache="64m", port=0)
    address = neo4j_server.start(own, answers)
    commands = Commands(tmp_path, shared(address, tmp_path / "home") | QUICK)
    yield Apart(own, address, commands)
    commands("down")
    neo4j_server.stop(own)


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ["pipeline", "batch"])
def test_after_a_minute_without_neo4j_every_task_has_ended_as_if_nothing_had_happened(
    kind: str, apart: Apart, tmp_path: Path
) -> None:
    commands = apart.commands
    assert commands("up", "--detach", seconds=300).returncode == 0
    begin(commands, 10, kind)
    apart.be_away(60)
    until(lambda: [run["state"] for run in runs(commands, "outlives")] == ["COMPLETED"], 180)
    with Graph(apart.address.bolt, apart.address.user, apart.address.password) as graph:
        check_all_went_well(graph, tmp_path)


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ["pipeline", "batch"])
def test_a_command_that_runs_a_pipeline_itself_goes_on_after_a_minute_without_neo4j(
    kind: str, apart: Apart, tmp_path: Path
) -> None:
    state(apart.commands, 10, kind)
    command = apart.commands.start("run", "outlives")
    until(lambda: ran(tmp_path), seconds=60)
    apart.be_away(60)
    out, err = command.communicate(timeout=180)
    assert command.returncode == 0, err
    assert "COMPLETED" in out.splitlines()[-1]
    assert "runs continue, and reading is retried" in err
    with Graph(apart.address.bolt, apart.address.user, apart.address.password) as graph:
        check_all_went_well(graph, tmp_path)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_run_in_a_notebooks_session_goes_on_while_neo4j_is_away(
    apart: Apart, tmp_path: Path
) -> None:
    cell = PIPELINE.replace("SECONDS", "4").replace("lg.KIND(", "p = lg.pipeline(")
    own = {"IPYTHONDIR": str(tmp_path / "ipython")}
    (tmp_path / "lineagegraph.toml").touch()
    with (
        kernel(tmp_path, apart.commands.environment | own) as cells,
        Graph(apart.address.bolt, apart.address.user, apart.address.password) as graph,
    ):
        for before in (SESSION, cell, "run = p.run(spark=spark)"):
            cells.run(before, seconds=300)
        live = LiveRun(graph, apart.settings, run_id=cells.value("run.run_id"))
        assert live.view.answer_live(live.run_id).away is None
        awaited = cells.start("end = await run")
        until(lambda: ran(tmp_path), seconds=120)
        apart.be_away(20, lambda: see_it_go_on(live))
        cells.finish(awaited, seconds=180)
        assert cells.value("end.state") == "COMPLETED"
        check_all_went_well(graph, tmp_path)


def see_it_go_on(live: LiveRun) -> None:
    seen = live.view.answer_live(live.run_id)
    assert "runs continue, and reading is retried" in (seen.away or "")
    assert not seen.is_over
