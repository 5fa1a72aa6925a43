"""No process of a task, nor any other of the daemon, shows the secrets of the daemon."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, shared, until

SECRETS = {
    "MY_SECRET": "hush-of-a-user",
    "AWS_SECRET_ACCESS_KEY": "hush-of-a-store",
    "LINEAGEGRAPH_CONNECTION_DB": '{"url": "https://x:hush-of-a-connection@db.example.org"}',
    "LINEAGEGRAPH_NOTIFY": '[{"on": ["killed"], "jobs": ["none"], '
    '"to": "https://hooks.example.org/hush-of-a-route"}]',
    "MY_STATED": "arrives",
    "MY_USUAL": "is-there",
    "LINEAGEGRAPH_PASS_ENVIRONMENT": '["MY_US*"]',
}
SEEN = """
import os
import pathlib


def see(name):
    shown = pathlib.Path("/proc/self/environ").read_bytes().decode()
    inside = "".join(f"{name}={value}\\0" for name, value in os.environ.items())
    pathlib.Path(f"{name}.seen").write_text(shown + "\\0" + inside)
"""
PIPELINE = """
import os
import sys

import lineagegraph as lg
from see import see

assert os.environ["MY_USUAL"] == "is-there"
assert "MY_SECRET" not in os.environ
assert b"hush" not in open("/proc/self/environ", "rb").read()


@lg.task
def function():
    see("function")
    lg.connect()


@lg.task(after=function, pass_env=("MY_STATED",))
def stated():
    see("stated")


see_it = "cat /proc/self/environ > {}.seen; env -0 >> {}.seen"
command = lg.command("command", ["sh", "-c", see_it.replace("{}", "command")])
passed = lg.command(
    "passed",
    ["sh", "-c", see_it.replace("{}", "passed")],
    pass_env=["MY_STATED", "LINEAGEGRAPH_NEO4J_PASSWORD", "AWS_*"],
)
wide = lg.command("wide", ["sh", "-c", see_it.replace("{}", "wide")], pass_env=["*"])
kernel = lg.notebook_task("kernel", "kernel.ipynb")
sleeper = lg.command("sleeper", ["sh", "-c", "touch sleeps; sleep 60 & wait"])
ask = [sys.executable, "-m", "lineagegraph.cli", "jobs"]
denied = lg.command("denied", ask)
allowed = lg.command("allowed", ask, pass_env=["LINEAGEGRAPH_NEO4J_PASSWORD"])
tasks = [function, stated, command, passed, wide, kernel, sleeper, denied, allowed]
lg.pipeline("seen", tasks=tasks, concurrency=9)
"""


@pytest.fixture
def commands(server: ServerAddress, graph: Graph, tmp_path: Path) -> Commands:
    (tmp_path / "lineagegraph.toml").touch()
    (tmp_path / "see.py").write_text(SEEN)
    (tmp_path / "flows.py").write_text(PIPELINE)
    cells = [new_code_cell("from see import see\nsee('kernel')")]
    nbformat.write(new_notebook(cells=cells), tmp_path / "kernel.ipynb")
    return Commands(tmp_path, shared(server, tmp_path / "home") | SECRETS)


@pytest.fixture
def daemon(commands: Commands) -> Iterator[psutil.Process]:
    """A daemon in the foreground, started with all secrets in its environment."""
    done = commands("sync", "flows.py")
    assert done.returncode == 0, done.stderr
    process = commands.start("up", "--only", "daemon")
    until(lambda: json.loads(commands("status", "--json").stdout)["daemons"])
    yield psutil.Process(process.pid)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=40)


def family(daemon: psutil.Process) -> list[psutil.Process]:
    return [daemon, *daemon.children(recursive=True)]


def shown_of(process: psutil.Process) -> str:
    folder = Path(f"/proc/{process.pid}")
    parts = [(folder / name).read_bytes() for name in ("environ", "cmdline")]
    return b"\0".join(parts).decode(errors="replace")


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc")
def test_tasks_see_only_stated_variables_and_no_process_shows_a_secret(
    commands: Commands, daemon: psutil.Process, graph: Graph, server: ServerAddress
) -> None:
    folder = commands.folder
    hidden = ["hush", server.password]
    assert commands("run", "seen").returncode == 0
    names = ["function", "stated", "command", "passed", "wide", "kernel"]
    until(lambda: state(graph, "seen.denied") == "FAILED", seconds=90)
    for name in (*names, "allowed"):
        until(lambda name=name: state(graph, f"seen.{name}") == "COMPLETED", seconds=60)
    (denied,) = (folder / "home" / "logs").rglob("denied.log")
    assert 'pass_env=("LINEAGEGRAPH_NEO4J_PASSWORD",)' in denied.read_text()
    running = family(daemon)
    assert {"sleep", "sh"} <= {process.name() for process in running}
    for process in running:
        assert not [one for one in hidden if one in shown_of(process)], process.cmdline()
    seen = {name: (folder / f"{name}.seen").read_text() for name in names}
    for name in ("function", "stated", "command", "kernel"):
        assert not [one for one in hidden if one in seen[name]], name
        assert "PATH=" in seen[name]
        assert "MY_USUAL=is-there" in seen[name]
        assert f"LINEAGEGRAPH_HOME={folder / 'home'}" in seen[name]
    assert "MY_STATED=arrives" not in seen["command"] + seen["kernel"] + seen["function"]
    assert "MY_STATED=arrives" in seen["stated"]
    assert "MY_STATED=arrives" in seen["passed"]
    assert f"LINEAGEGRAPH_NEO4J_PASSWORD={server.password}" in seen["passed"]
    assert "hush-of-a-store" in seen["passed"]
    assert "hush-of-a-user" not in seen["passed"]
    # A wide pattern passes variables of the user, but none of lineagegraph.
    assert "hush-of-a-user" in seen["wide"]
    for secret in ("hush-of-a-connection", "hush-of-a-route", server.password):
        assert secret not in seen["wide"]
    assert (folder / "home").stat().st_mode & 0o077 == 0
    assert commands("cancel", newest(commands)).returncode == 0


def newest(commands: Commands) -> str:
    (run,) = json.loads(commands("runs", "seen", "--json").stdout)
    return str(run["id"])


def test_a_definition_file_gets_the_variables_of_the_setting(commands: Commands) -> None:
    (commands.folder / "named.py").write_text(
        "import os\nimport lineagegraph as lg\n"
        "lg.pipeline(os.environ['MY_STATED'], tasks=[lg.command('c', ['true'])])\n"
    )
    assert "KeyError" in commands("sync", "named.py").stderr
    passing = {"LINEAGEGRAPH_PASS_ENVIRONMENT": '["MY_ST*"]'}
    assert commands("sync", "named.py", **passing).returncode == 0
    assert "arrives" in commands("jobs").stdout
    refused = commands("jobs", LINEAGEGRAPH_PASS_ENVIRONMENT='["A-B"]')
    assert "not the name of a variable" in refused.stderr
