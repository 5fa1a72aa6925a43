"""Changes of state by the command, and what daemons do about them."""

import json
import signal
from datetime import timedelta
from pathlib import Path

import pytest

from lineagegraph.daemon import daemon
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from lineagegraph.store.runs.state_changes import get_bounds
from tests.acceptance.processes import Commands, shared, until
from tests.integration.ingest.test_order import record_all
from tests.integration.run_states.test_numbers import life, states


def test_the_command_lists_what_is_kept_and_follows(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    start, end = life("START", "FAIL")
    record_all(graph, [[start]])
    command = Commands(tmp_path, shared(server, tmp_path))
    refused = command("run-states", "--after", "9")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert refused.stderr.startswith("error: change 9 does not exist yet")
    process = command.start("run-states", "--follow", "--json")
    assert process.stdout
    assert json.loads(process.stdout.readline())["state"] == "RUNNING"
    record_all(graph, [[end]])
    assert json.loads(process.stdout.readline())["state"] == "FAILED"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


def test_a_daemon_numbers_changes_and_forgets_old_ones(
    graph: Graph, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_all(graph, [life("START", "COMPLETE")])
    monkeypatch.setattr(daemon, "_FORGET_SECONDS", 0.2)
    own = {"home": tmp_path, "run_states_age": timedelta(0)}
    beating = Daemon(graph, settings.model_copy(update=own))
    beating.start()
    try:
        until(lambda: graph.read(get_bounds).forgotten == 2)
    finally:
        beating.stop()
    assert states(graph) == []
