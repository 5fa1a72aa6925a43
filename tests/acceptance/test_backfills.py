"""A backfill as a user starts it: commands, a daemon that is killed, workers."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared, until

PIPELINES = """
from datetime import date
import lineagegraph as lg

script = 'echo "$1" >> days.txt; test "$1" != 2026-01-03'
note = lg.command("note", ["sh", "-c", script, "sh", "{day}"])
lg.pipeline("daily", tasks=[note], params={"day": date}, partition_by=["day"])
"""
JANUARY = ("daily", "--from", "2026-01-01", "--to", "2026-01-04")


@pytest.fixture
def commands(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Commands]:
    found = Commands(tmp_path, shared(server, tmp_path / "home"))
    (tmp_path / "pipes.py").write_text(PIPELINES)
    assert found("sync", "pipes.py").returncode == 0
    yield found
    found("down")


def test_a_backfill_runs_each_day_once_though_its_daemon_is_killed(commands: Commands) -> None:
    assert commands("up", "--detach", "--only", "daemon").returncode == 0
    begun = commands("backfill", "start", *JANUARY, "--id", "january", "--concurrency", "2")
    assert begun.stdout == "january\n"
    days = commands.folder / "days.txt"
    until(days.exists)
    (daemon,) = json.loads(commands("status", "--json").stdout)["daemons"]
    os.kill(pid := daemon["pid"], signal.SIGKILL)
    until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == "zombie")
    assert commands("up", "--detach", "--only", "daemon").returncode == 0
    again = commands("backfill", "start", *JANUARY, "--id", "january", "-c", "2", "--wait")
    assert again.returncode == 1
    assert "backfill FAILED: 3 COMPLETED, 1 FAILED" in again.stderr
    assert sorted(days.read_text().split()) == [f"2026-01-0{day}" for day in (1, 2, 3, 4)]
    shown = commands("backfill", "show", "january", "--state", "failed").stdout
    assert '{"day":"2026-01-03"}' in shown
