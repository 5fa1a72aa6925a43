"""Pools over several worker processes, of which some are killed."""

import random
import time
from pathlib import Path

import psutil
import pytest

from lineagegraph.admin.pools import list_pools, set_pool
from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, until

TASKS = """
import os
import time
import lineagegraph as lg

def note(word, name, slots):
    line = f"{time.monotonic()} {word} {name} {slots} {os.getpid()}\\n"
    file = os.open("FOLDER/log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(file, line.encode())
    os.close(file)

def work(name, slots, seconds):
    note("begin", name, slots)
    time.sleep(seconds)
    note("end", name, slots)

def make(name, slots=1, priority=0, seconds=0.5):
    @lg.task(name=name, pool="lab", pool_slots=slots, priority=priority)
    def run():
        work(name, slots, seconds)
    return run

for n in range(3):
    tasks = [make(f"small{n}"), make(f"large{n}", slots=2), make(f"more{n}")]
    lg.pipeline(f"crowd{n}", tasks=tasks)

@lg.task(pool="lab", pool_slots=2)
def holder():
    note("begin", "holder", 2)
    while not os.path.exists("FOLDER/release"):
        time.sleep(0.1)

lg.pipeline("holder", tasks=[holder])
lg.pipeline("low", tasks=[make("low", slots=2)])
lg.pipeline("high", tasks=[make("high", slots=2, priority=10)])
"""


@pytest.fixture
def log(commands: Commands, graph: Graph, tmp_path: Path) -> Path:
    set_pool(graph, "lab", 2)
    (tmp_path / "lab.py").write_text(TASKS.replace("FOLDER", str(tmp_path)))
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "lab.py")
    assert commands("up", "--detach", "--only", "daemon").returncode == 0
    return tmp_path / "log"


def lines(log: Path) -> list[list[str]]:
    return [line.split() for line in log.read_text().splitlines()] if log.exists() else []


def most_at_once(log: Path, killed: dict[str, float]) -> int:
    """Return the most slots in use at a time; tasks of killed workers ended with these."""
    changes: list[tuple[float, int]] = []
    ended = {process for _, word, _, _, process in lines(log) if word == "end"}
    for at, word, _, slots, process in lines(log):
        sign = 1 if word == "begin" else -1
        changes.append((float(at), sign * int(slots)))
        if word == "begin" and process not in ended:
            changes.append((killed[process], -int(slots)))
    now = most = 0
    for _, change in sorted(changes):
        now += change
        most = max(most, now)
    return most


def test_slots_are_never_exceeded_though_workers_are_killed_and_no_task_is_lost(
    commands: Commands, graph: Graph, log: Path
) -> None:
    killed: dict[str, float] = {}
    for n in range(3):
        assert commands("run", f"crowd{n}").returncode == 0
    for _ in range(2):
        until(lambda: len(lines(log)) >= 3, 120)
        time.sleep(random.uniform(0, 1))
        owners = graph.query(
            "MATCH (r:Run {launch: 'CLAIMED'})<-[:HAS_RUN]-(:Job {kind: 'PIPELINE'}) "
            "WHERE r.started_at IS NOT NULL RETURN r.owner AS owner"
        )
        if owners:
            worker = psutil.Process(int(random.choice(owners)["owner"].rpartition(":")[2]))
            below = worker.children(recursive=True)
            worker.kill()
            psutil.wait_procs(below, 10)
            killed |= {str(one.pid): time.monotonic() for one in below}
    until(lambda: all(state(graph, f"crowd{n}") == "COMPLETED" for n in range(3)), 240)
    ended = [name for _, word, name, _, _ in lines(log) if word == "end"]
    assert set(ended) == {f"{kind}{n}" for kind in ("small", "large", "more") for n in range(3)}
    assert most_at_once(log, killed) <= 2
    assert [(one.taken, one.waiting) for one in list_pools(graph)] == [(0, 0)]


def test_a_waiting_task_is_shown_with_its_pool_and_the_highest_priority_starts_first(
    commands: Commands, graph: Graph, log: Path
) -> None:
    commands("run", "holder")
    until(lambda: len(lines(log)) == 1, 120)
    run = commands("run", "low").stdout.split()[0]
    until(lambda: state(graph, "low.low") == "WAITING", 120)
    commands("run", "high")
    until(lambda: state(graph, "high.high") == "WAITING", 120)
    assert "waits for 2 of 2 slots of pool lab" in " ".join(commands("show", run).stdout.split())
    shown = commands("pool", "show", "lab").stdout
    assert "lab: 2 of 2 slots taken, 2 waiting" in shown
    assert shown.index("holder.holder") < shown.index("high.high") < shown.index("low.low")
    assert "pool     lab: 2 of 2 slots taken" in commands("status").stdout
    (log.parent / "release").touch()
    until(lambda: state(graph, "low") == "COMPLETED", 120)
    begun = [name for _, word, name, _, _ in lines(log) if word == "begin"]
    assert begun == ["holder", "high", "low"]
