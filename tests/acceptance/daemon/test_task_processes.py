"""Programs of tasks end with their worker, and never run beside the next attempt."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from lineagegraph.graph import Graph
from lineagegraph.process_environment.task_processes import MARK, claim_mark, end_processes
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state, status, worker_of
from tests.acceptance.processes import Commands, until

# The last one clears its environment, the one before leaves its session.
PROGRAMS = """
import os
import lineagegraph as lg

SCRIPT = '''
echo $$ >> pids; sleep 301 & echo $! >> pids
setsid sleep 302 & echo $! >> pids
env -i sleep 303 & echo $! >> pids
wait
'''

@lg.task
def python():
    os.system(SCRIPT)

lg.pipeline("shells", tasks=[lg.command("sh", ["sh", "-c", SCRIPT]), python], concurrency=2)
"""

GUARDIAN = "lineagegraph.worker.guardian"


def living(file: Path) -> list[int]:
    pids = [int(line) for line in file.read_text().split()] if file.exists() else []
    return [p for p in pids if psutil.pid_exists(p) and psutil.Process(p).status() != "zombie"]


def start_programs(commands: Commands, graph: Graph) -> tuple[Path, psutil.Process]:
    """Start a run with eight programs; return the file of their pids, and the worker."""
    (commands.folder / "shells.py").write_text(PROGRAMS)
    sync_path(graph, Settings(home=commands.folder / "home"), commands.folder / "shells.py")
    assert commands("up", "--detach").returncode == 0
    commands("run", "shells")
    pids = commands.folder / "pids"
    until(lambda: len(living(pids)) == 8, 90)
    return pids, psutil.Process(worker_of(graph, "shells"))


def test_programs_outlive_the_daemon_and_end_with_their_worker(
    commands: Commands, graph: Graph
) -> None:
    pids, worker = start_programs(commands, graph)
    os.kill(status(commands)["daemons"][0]["pid"], signal.SIGKILL)
    time.sleep(0.5)
    assert len(living(pids)) == 8
    worker.kill()
    until(lambda: not living(pids), 20)


def test_programs_are_gone_before_a_lost_run_ends_though_its_guardian_died(
    commands: Commands, graph: Graph
) -> None:
    pids, worker = start_programs(commands, graph)
    guardians = [one for one in worker.children() if GUARDIAN in one.cmdline()]
    for process in (*guardians, worker):
        process.kill()
    assert len(guardians) == 1
    until(lambda: state(graph, "shells") == "FAILED", 60)
    assert not living(pids)


def test_a_process_without_the_mark_is_never_killed() -> None:
    ours, theirs = claim_mark("run", 1, ""), claim_mark("run", 11, "")
    sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
    marked = subprocess.Popen(sleep, env={MARK: ours}, start_new_session=True)
    others = [
        subprocess.Popen(sleep, env=env, start_new_session=True) for env in ({MARK: theirs}, {})
    ]
    try:
        assert end_processes(ours) == 1
        assert marked.wait(5) == -signal.SIGKILL
        assert [other.poll() for other in others] == [None, None]
    finally:
        for process in (marked, *others):
            process.kill()
            process.wait()
