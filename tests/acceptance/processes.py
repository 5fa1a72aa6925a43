"""The command line as a user runs it: a process, with a home of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.neo4j_server.folder import server_folder
from lineagegraph.neo4j_server.owner import find_owner
from lineagegraph.settings import Settings
from tests.command_line import run_command
from tests.quick_java import QUICK_NEO4J

# The machines of tests are slow.
# On a slow machine, beside three other tests, a demo takes ten minutes.
DEMO_SECONDS = 1500
PATIENT = {"LINEAGEGRAPH_INGEST_SECONDS": "20"}


class Commands:
    """Runs `lineagegraph` with the settings given, in a folder."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self.folder = folder
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("LINEAGEGRAPH_") or name == "LINEAGEGRAPH_SIGNING_KEY_FILE"
        }
        quick = {"LINEAGEGRAPH_NEO4J_JAVA_OPTIONS": QUICK_NEO4J} | PATIENT
        self.environment = clean | quick | dict(settings)

    def __call__(
        self, *words: str, seconds: float = 120, **settings: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end, in a process that has imported the program already."""
        return run_command(words, self.folder, self.environment | settings, seconds=seconds)

    def start(self, *words: str) -> "subprocess.Popen[str]":
        """Start a command in a process group of its own."""
        return subprocess.Popen(
            self._command(words),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def _command(self, words: tuple[str, ...]) -> list[str]:
        return [sys.executable, "-m", "lineagegraph.cli", *words]


def shared(server: ServerAddress, home: Path) -> dict[str, str]:
    """Return settings of a home whose graph is the test session's server."""
    return {
        "LINEAGEGRAPH_HOME": str(home),
        "LINEAGEGRAPH_NEO4J_URI": server.bolt,
        "LINEAGEGRAPH_NEO4J_USER": server.user,
        "LINEAGEGRAPH_NEO4J_PASSWORD": server.password,
        "LINEAGEGRAPH_PORT": "0",
    } | PATIENT


def until(what: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something is true; fail if it takes longer."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, f"not true after {seconds} s"
        time.sleep(0.2)


def kill_neo4j(home: Path) -> None:
    """Kill the managed server of a home."""
    owner = find_owner(server_folder(Settings(home=home)))
    assert owner is not None
    owner.kill()
