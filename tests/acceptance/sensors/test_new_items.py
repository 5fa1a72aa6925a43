"""One run for each new file, with daemons, sensor processes and workers that are processes."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.batches.yard import Yard, open_yard
from tests.acceptance.processes import until

STATED = """
from pathlib import Path
from lineagegraph import on


def noted(job):
    command = ["sh", "-c", f"echo {job}:$0 >> ran.txt", "{name}"]
    return [lg.command("load", command)]


def later(cursor):
    found = sorted(one.name for one in Path("INBOX").glob("*.csv"))
    new = [name for name in found if cursor is None or name > cursor]
    return lg.new_items([{"name": name} for name in new], cursor=new[-1] if new else cursor)


lg.pipeline(
    "files",
    tasks=noted("files"),
    params={"name": str},
    trigger=on.sensor("file", path="INBOX/*.csv", each=True, poke_interval="0.5s"),
)
lg.pipeline(
    "names",
    tasks=noted("names"),
    params={"name": str},
    trigger=on.sensor(later, poke_interval="0.5s"),
)
"""


@pytest.fixture
def yard(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Yard]:
    """A folder of pipelines, with quick leases of sensor processes."""
    quick = {"LINEAGEGRAPH_SENSOR_LEASE_SECONDS": "3", "LINEAGEGRAPH_SENSOR_PROCESSES": "2"}
    with open_yard(server, graph, tmp_path, slots=4, **quick) as found:
        yield found


def kill_sensing(yard: Yard) -> int:
    """Kill the sensor processes, without time for anything, and return how many there were."""
    home, killed = yard.commands.environment["LINEAGEGRAPH_HOME"], 0
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            is_sensing = "lineagegraph.sensing" in process.cmdline()
            if is_sensing and process.environ().get("LINEAGEGRAPH_HOME") == home:
                process.kill()
                killed += 1
    return killed


def test_each_file_is_run_once_while_sensor_processes_are_killed(yard: Yard) -> None:
    inbox = yard.commands.folder / "inbox"
    inbox.mkdir()
    yard.sync(STATED.replace("INBOX", str(inbox)))
    yard.up()
    batches = ["a", "b", "cdefg", "h", "ijk"]
    expected: set[str] = set()
    for number, names in enumerate(batches):
        for name in names:
            (inbox / f"{name}.csv").touch()
            expected |= {f"files:{name}.csv", f"names:{name}.csv"}
        # At another moment each time: before, amid and after the poke that finds them.
        time.sleep(0.25 * number)
        if number:
            # A process that was killed is started again after a while.
            until(lambda: kill_sensing(yard), 60)
        until(lambda: expected <= set(yard.ran), 120)  # noqa: B023
    time.sleep(3)
    assert sorted(yard.ran) == sorted(expected)
    shown = yard.commands("sensor", "list", "--kind", "file", "--json").stdout
    sensor = yard.commands("sensor", "show", shown.split('"id": "')[1][:8]).stdout
    assert '"files":11' in sensor.replace(" ", "").replace("\n", "")
