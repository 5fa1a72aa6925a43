"""A sensor process of one's own is started where nobody else looks."""

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from lineagegraph.execution import sensor_process
from lineagegraph.execution.sensor_process import StandbySensorProcess
from lineagegraph.graph import Graph
from lineagegraph.sensors import make_sensor
from lineagegraph.settings import Settings
from lineagegraph.store.admin import processes
from tests.acceptance.processes import until
from tests.integration.sensing.conftest import Sensing
from tests.integration.sensing.test_process import live
from tests.sensors import wait_for


@pytest.fixture
def own(
    graph: Graph, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[StandbySensorProcess]:
    monkeypatch.setattr(sensor_process, "_PAUSE", 0.0)
    with StandbySensorProcess(graph, settings) as found:
        yield found


def say_alive(graph: Graph, kind: str, pid: int) -> None:
    about = {"id": kind, "kind": kind, "host": socket.gethostname(), "pid": pid}
    graph.write(processes.merge_process, **about, address=None, now=None)


def test_none_is_started_beside_another_and_one_once_that_has_left(
    own: StandbySensorProcess, graph: Graph, sensing: Sensing
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
    own: StandbySensorProcess, graph: Graph
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
    with StandbySensorProcess(graph, chosen) as found:
        found.keep()
        assert found.is_running is is_needed


def write_two_pids(folder: str) -> bool:
    import os
    import subprocess
    import time
    from pathlib import Path

    started = subprocess.Popen(["sleep", "60"])
    for pid in (started.pid, os.getpid()):
        Path(folder, str(pid)).touch()
    time.sleep(30)
    return False


def test_what_a_killed_one_had_called_is_ended_with_its_programs_before_the_next_one_starts(
    own: StandbySensorProcess, graph: Graph, tmp_path: Path
) -> None:
    arguments = {"folder": str(tmp_path)}
    wait_for(graph, make_sensor("python", {"function": write_two_pids, "arguments": arguments}))
    own.keep()
    until(lambda: len(list(tmp_path.iterdir())) == 2)
    started = [psutil.Process(int(file.name)) for file in tmp_path.iterdir()]
    (child,) = [each for each in psutil.Process().children() if each in started[0].parents()]
    child.kill()
    until(lambda: not own.is_running)
    own.keep()
    until(lambda: not any(map(lives, started)), 5)


def lives(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
