"""`notifications`, and a test of a route, as processes."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lineagegraph.explore import read_notifications
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.notifications import Transition, notify
from lineagegraph.routes import Occasion, Route
from tests.events import run_event

ROUTES = """
[[notify]]
name = "quiet"
on = ["failed"]
to = "log:"

[[notify]]
name = "nobody"
on = ["failed"]
to = "http://127.0.0.1:9/secret-part"
"""


def lineagegraph(
    server: ServerAddress, folder: Path, *arguments: str, command: str = "notifications"
) -> subprocess.CompletedProcess[str]:
    (folder / "lineagegraph.toml").write_text(ROUTES)
    environment = os.environ | {
        "LINEAGEGRAPH_NEO4J_URI": server.bolt,
        "LINEAGEGRAPH_NEO4J_PASSWORD": server.password,
        "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *sys.path]),
    }
    line = [sys.executable, "-m", "lineagegraph.cli", command, *arguments]
    return subprocess.run(line, env=environment, cwd=folder, capture_output=True, text=True)


def test_notifications_are_listed(graph: Graph, server: ServerAddress, tmp_path: Path) -> None:
    failed = Transition(
        occasion=Occasion.FAILED,
        about="run",
        id="r1",
        namespace="default",
        job="sales.load",
        at=datetime.now(UTC),
    )
    graph.write(notify, [failed], [Route(on=("failed",), to="log:", name="quiet")])
    shown = lineagegraph(server, tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "PENDING  run.failed  sales.load  r1" in shown.stdout
    (found,) = json.loads(lineagegraph(server, tmp_path, "--json").stdout)
    assert (found["channel"], found["state"], found["attempts"]) == ("quiet", "PENDING", 0)


def test_a_failure_that_is_read_from_a_file_is_told(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    (tmp_path / "events.json").write_text(json.dumps(run_event("sales.load", "FAIL")))
    done = lineagegraph(server, tmp_path, "events.json", command="ingest")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(one.channel for one in read_notifications(graph)) == ["nobody", "quiet"]


@pytest.mark.parametrize(
    ("route", "code", "says"),
    [
        ("quiet", 0, "a test of lineagegraph"),
        ("nobody", 1, "error: route nobody: ConnectError: "),
        ("none", 1, "error: no route 'none': the setting notify has nobody, quiet"),
    ],
)
def test_a_route_is_tried_at_once(
    server: ServerAddress, tmp_path: Path, route: str, code: int, says: str
) -> None:
    tried = lineagegraph(server, tmp_path, "test", route)
    assert tried.returncode == code
    assert says in tried.stderr
    assert "secret-part" not in tried.stdout + tried.stderr
