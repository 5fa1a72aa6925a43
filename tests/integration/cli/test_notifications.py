"""`notifications`, and a test of a route, as processes."""

import json
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from lineagegraph.cli.operate import notifications
from lineagegraph.errors import NotDelivered, NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.outbox.routes import Occasion, Route
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.outbox.notifications import Transition, notify
from lineagegraph.queries.jobs.outbox import read_notifications
from lineagegraph.settings import load_settings
from tests.command_line import CommandLine
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
    return CommandLine(server, folder)(command, *arguments)


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


@pytest.fixture
def _routes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "lineagegraph.toml").write_text(ROUTES)
    monkeypatch.chdir(tmp_path)
    load_settings.cache_clear()
    yield
    load_settings.cache_clear()


@pytest.mark.usefixtures("_routes")
def test_a_route_is_tried_at_once() -> None:
    with capture_logs() as lines:
        notifications.test("quiet")
    assert [line["event"] for line in lines] == ["a test of lineagegraph"]


@pytest.mark.usefixtures("_routes")
def test_a_route_that_leads_nowhere_says_why_and_not_where() -> None:
    with pytest.raises(NotDelivered, match="route nobody: ConnectError: ") as error:
        notifications.test("nobody")
    assert "secret-part" not in str(error.value)
    with pytest.raises(NotFound, match="no route 'none': the setting notify has nobody, quiet"):
        notifications.test("none")
