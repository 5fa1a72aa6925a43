"""The disk of a home is full while a daemon runs tasks: they go on, and so does the daemon."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import runs_of, state
from tests.acceptance.disks import mounted
from tests.acceptance.processes import Commands, until

TASKS = """
import pathlib
import lineagegraph as lg

logs = pathlib.Path("LOGS")

@lg.task
def prints():
    for number in range(20_000):
        print(number, "x" * 100)
    (logs / "filler").unlink()
    print("room again")

@lg.task(after=prints)
def beside():
    print("after it")

lg.pipeline("python", tasks=[prints, beside])
lg.pipeline("command", tasks=[lg.command("counts", ["sh", "-c", "seq 200000; touch counted"])])
"""

VALUES = """
import lineagegraph as lg

@lg.task
def makes() -> str:
    return "x" * 2_000_000

@lg.task(takes={"made": makes.output})
def takes(made: str):
    pass

lg.pipeline("large", tasks=[makes, takes])
"""


@pytest.fixture
def logs(commands: Commands) -> Iterator[Path]:
    """The logs on a disk of 1 MB."""
    with mounted(commands.folder / "home" / "logs", "1m") as folder:
        yield folder


def test_tasks_that_print_to_a_full_disk_go_on_and_their_logs_tell_what_is_lost(
    commands: Commands, graph: Graph, logs: Path
) -> None:
    (commands.folder / "full.py").write_text(TASKS.replace("LOGS", str(logs)))
    sync_path(graph, Settings(home=commands.folder / "home"), commands.folder / "full.py")
    (logs / "filler").write_bytes(bytes(500_000))
    commands("run", "python", "--wait")
    assert state(graph, "python") == "COMPLETED"
    (text,) = [path.read_text() for path in logs.glob("*/prints.log")]
    assert "characters of output were lost, as the disk was full" in text
    assert text.endswith("room again\n")

    commands("run", "command", "--wait")
    assert state(graph, "command") == "COMPLETED"
    assert (commands.folder / "counted").exists()


def test_a_run_that_a_full_disk_lets_not_start_is_failed_with_that_reason(
    commands: Commands, graph: Graph, logs: Path
) -> None:
    with pytest.raises(OSError, match="space"):
        (logs / "filler").write_bytes(bytes(2_000_000))
    commands("run", "after", "--wait")
    assert state(graph, "after") == "FAILED"
    (row,) = graph.query("MATCH (:Job {fqn: 'after'})-[:HAS_RUN]->(r) RETURN r.error AS error")
    assert "No space left on device: " in row["error"]
    assert "upstream.json" in row["error"]


def test_a_run_whose_folder_has_no_room_is_failed_soon_and_says_so(
    commands: Commands, graph: Graph
) -> None:
    with mounted(commands.folder / "home" / "logs", "1m,nr_inodes=1"):
        alone = commands("run", "after")
        assert alone.returncode == 1
        assert "logs/" in alone.stderr
        assert "No space left on device" in alone.stderr
        commands("up", "--detach", LINEAGEGRAPH_LEASE_SECONDS="60")
        found = commands("run", "after", "--wait")
    assert state(graph, "after") == "FAILED"
    assert "NOT_STARTED: its worker process could not start 3 times: No space left" in found.stderr


def test_a_value_that_finds_no_room_fails_its_task_and_gives_its_room_back(
    commands: Commands, graph: Graph, logs: Path
) -> None:
    (commands.folder / "large.py").write_text(VALUES)
    sync_path(graph, Settings(home=commands.folder / "home"), commands.folder / "large.py")
    found = commands("run", "large", "--wait")
    assert "makes: OSError: [Errno 28] No space left on device" in found.stderr
    assert sum(path.stat().st_size for path in logs.glob("*/values/*")) == 0


def test_a_daemon_whose_output_cannot_be_written_runs_what_is_queued_until_it_is_stopped(
    commands: Commands, graph: Graph
) -> None:
    with Path("/dev/full").open("w") as full:
        daemon = subprocess.Popen(
            [sys.executable, "-m", "lineagegraph.cli", "up", "--only", "daemon"],
            cwd=commands.folder,
            env=commands.environment,
            stdout=full,
            stderr=full,
        )
    for number in (1, 2):
        commands("run", "after")
        until(lambda n=number: runs_of(graph, "after") == n, 60)
        until(lambda: state(graph, "after") == "COMPLETED", 60)
    assert daemon.poll() is None
    commands("down")
    daemon.wait(30)
