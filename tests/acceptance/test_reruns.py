"""`rerun` as people and scripts call it."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared, until
from tests.project import Project

SAYING = """
OUT = {out!r}

@lg.task
def say(day: int):
    with open(f"{{OUT}}/{{day}}", "a") as file:
        file.write({word!r})

lg.pipeline("said", tasks=[say], params={{"day": int}})
"""


class Said:
    """A pipeline that says a word into a file for each day, whose runs are there already."""

    def __init__(self, project: Project, commands: Commands, out: Path) -> None:
        self.project = project
        self.commands = commands
        self.out = out
        out.mkdir()

    def state(self, word: str) -> None:
        self.project.state(SAYING.format(out=str(self.out), word=word))

    def words(self) -> dict[str, str]:
        return {file.name: file.read_text() for file in sorted(self.out.iterdir())}


@pytest.fixture
def said(graph: Graph, server: ServerAddress, tmp_path: Path) -> Said:
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    commands = Commands(tmp_path, shared(server, tmp_path / "home"))
    return Said(project, commands, tmp_path / "out")


def test_a_script_is_told_the_choices_and_a_terminal_is_asked(said: Said) -> None:
    said.state("then")
    run = said.project.run("said", day=1)
    said.state("now")
    (said.project.folder / "flows.py").unlink()
    script = said.commands("rerun", run)
    assert (script.returncode, script.stdout) == (2, "")
    assert (
        "choose the code for the rerun by a policy: as_was, latest, pinned:VERSION: give --policy"
        in script.stderr
    )
    assert "as_was  said: all tasks\n  no differences" in script.stderr
    assert "\n  code  " in script.stderr, "with the code of today something is other"
    code, asked = at_a_terminal(said.commands, ["rerun", run], "as_was\n")
    assert "policy (as_was, latest or pinned:VERSION)" in asked
    assert code == 0, asked
    assert said.words() == {"1": "thenthen"}


def at_a_terminal(commands: Commands, words: list[str], typed: str) -> tuple[int, str]:
    """Run a command with a terminal; return its status and what it asked."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "lineagegraph.cli", *words],
        cwd=commands.folder,
        env=commands.environment,
        stdin=slave,
        stderr=slave,
        stdout=subprocess.DEVNULL,
    )
    os.close(slave)
    os.write(master, typed.encode())
    shown = b""
    while True:
        try:
            shown += os.read(master, 4096)
        except OSError:  # the other end is closed
            break
    os.close(master)
    return process.wait(60), shown.decode()


def test_many_runs_again_go_on_after_a_kill_and_repeat_nothing(said: Said) -> None:
    said.state("a")
    for day in range(4):
        said.project.run("said", day=day)
    command = ("rerun", "--job", "said", "--policy", "as_was", "--concurrency", "2")
    killed = said.commands.start(*command)
    until(lambda: "aa" in said.words().values(), 120)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    again = said.commands(*command, seconds=180)
    assert again.returncode == 0, again.stderr
    assert "already exists: 4 partitions to run" in again.stderr
    assert said.words() == {str(day): "aa" for day in range(4)}
    assert said.commands(*command).returncode == 0
    assert said.words() == {str(day): "aa" for day in range(4)}
