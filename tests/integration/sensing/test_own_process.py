"""A sensor process of one's own is started where nobody else looks."""

import os
import socket
import subprocess
from collections.abc import Iterator

import pytest

from lineagegraph.execution import sensor_process
from lineagegraph.execution.sensor_process import OwnSensorProcess
from lineagegraph.graph import Graph
from lineagegraph.settings import Settings
from lineagegraph.store.admin import processes
from tests.acceptance.processes import until
from tests.integration.sensing.conftest import Sensing
from tests.integration.sensing.test_process import live


@pytest.fixture
def own(
    graph: Graph, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OwnSensorProcess]:
    monkeypatch.setattr(sensor_process, "_PAUSE", 0.0)
    with OwnSensorProcess(graph, settings) as found:
        yield found


def say_alive(graph: Graph, kind: str, pid: int) -> None:
    about = {"id": kind, "kind": kind, "host": socket.gethostname(), "pid": pid}
    graph.write(processes.merge_process, **about, address=None, now=None)


def test_none_is_started_beside_another_and_one_once_that_has_left(
    own: OwnSensorProcess, graph: Graph, sensing: Sensing
) -> None:
    with sensing():
        until(lambda: live(graph))
        own.keep()
        assert not own.is_running
    own.keep()
    assert own.is_running
    own.close()
    assert not own.is_running


def test_one_that_was_killed_a_moment_ago_does_not_count(
    own: OwnSensorProcess, graph: Graph
) -> None:
    with subprocess.Popen(["true"]) as ended:
        pass
    say_alive(graph, processes.SENSORS, ended.pid)
    say_alive(graph, processes.DAEMON, ended.pid)
    own.keep()
    assert own.is_running


@pytest.mark.parametrize(("number", "is_needed"), [(1, False), (0, True)])
def test_a_daemon_counts_where_it_keeps_sensor_processes(
    graph: Graph, settings: Settings, number: int, is_needed: bool
) -> None:
    say_alive(graph, processes.DAEMON, os.getpid())
    chosen = settings.model_copy(update={"sensor_processes": number})
    with OwnSensorProcess(graph, chosen) as found:
        found.keep()
        assert found.is_running is is_needed
