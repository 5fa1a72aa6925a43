"""Several `up` at once: one has the home, and one has the port."""

import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil

from lineagegraph.cli.operate.note import find_note
from lineagegraph.settings import Settings
from tests.acceptance.processes import Commands, until


def list_ups(folder: Path) -> list[psutil.Process]:
    """Return the processes of `up` that work in a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cwd() == str(folder) and "up" in process.cmdline():
                found.append(process)
        except psutil.Error:
            continue
    return found


def test_of_several_ups_at_once_on_a_home_one_runs_and_the_others_are_refused(
    commands: Commands,
) -> None:
    with ThreadPoolExecutor() as pool:
        ended = list(pool.map(lambda _: commands("up", "--detach"), range(3)))
    good, *refused = sorted(ended, key=lambda each: each.returncode)
    assert good.returncode == 0, good.stderr
    for each in refused:
        assert each.returncode == 1
        assert "lineagegraph is " in each.stderr
        assert " already (process " in each.stderr
    assert len(list_ups(commands.folder)) == 1
    commands("down")
    assert not list_ups(commands.folder)


def test_down_ends_an_up_that_still_starts(commands: Commands) -> None:
    with ThreadPoolExecutor() as pool:
        ended = pool.submit(commands, "up")
        until(lambda: find_note(Settings(home=commands.folder / "home")))
        assert commands("down").stdout == "stopped\n"
        assert ended.result(5).returncode is not None
    assert not list_ups(commands.folder)


def test_of_two_ups_that_take_one_port_at_once_one_is_refused(commands: Commands) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
    homes = [str(commands.folder / name) for name in ("home", "other")]
    with ThreadPoolExecutor() as pool:
        ended = list(
            pool.map(
                lambda home: commands("up", "--detach", "--port", port, LINEAGEGRAPH_HOME=home),
                homes,
            )
        )
    commands("down", LINEAGEGRAPH_HOME=homes[1])
    good, refused = sorted(ended, key=lambda each: each.returncode)
    assert good.returncode == 0, good.stderr
    assert f"port {port} on 127.0.0.1 cannot be used (" in refused.stderr
