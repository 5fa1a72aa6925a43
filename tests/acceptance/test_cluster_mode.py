"""Drivers in cluster mode, on a real standalone cluster of two workers: a task ends as they do."""

import json
import os
import signal
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.typed import decode_json
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.process_environment.drivers import DriverFile, DriverKill
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import reason, state, worker_of
from tests.acceptance.processes import Commands, shared, until
from tests.acceptance.standalone import standalone_cluster

# Python has no cluster mode there, so a class of Spark's own is the driver: it runs this program.
DRIVER = """
import os, sys, time
from pathlib import Path

started, written, seconds, code = Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:])
jvm = os.getppid()
started.write_text(str(jvm))
end = time.monotonic() + seconds
while time.monotonic() < end and os.getppid() == jvm:
    time.sleep(0.2)
if os.getppid() == jvm and code == 0:
    written.write_text("data")
sys.exit(code)
"""
PIPELINES = """
import lineagegraph as lg

CONF = {{
    "spark.master": {master!r},
    "spark.submit.deployMode": "cluster",
    "spark.driver.memory": "512m",
}}


def driver(name, seconds, code=0):
    folder = {folder!r}
    args = [f"{{folder}}/driver.py", "", f"{{folder}}/{{name}}.pid", f"{{folder}}/{{name}}.data"]
    args += [str(seconds), str(code)]
    main = "org.apache.spark.deploy.PythonRunner"
    return lg.spark_submit("drive", "empty.jar", main=main, args=args, conf=CONF)


reads = lg.command("reads", ["test", "-s", "{folder}/works.data"], after="drive")
lg.pipeline("works", tasks=[driver("works", 8), reads])
lg.pipeline("fails", tasks=[driver("fails", 1, 3)])
lg.pipeline("hangs", tasks=[driver("hangs", 300)])
lg.pipeline("lost", tasks=[driver("lost", 300)])
"""


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("cluster") / "here"
    with standalone_cluster(folder, cores=2, workers=2) as address:
        yield address


@pytest.fixture
def commands(
    server: ServerAddress, graph: Graph, tmp_path: Path, master: str
) -> Iterator[Commands]:
    quick = {"LINEAGEGRAPH_HEARTBEAT_SECONDS": "1", "LINEAGEGRAPH_LEASE_SECONDS": "4"}
    found = Commands(tmp_path, shared(server, tmp_path / "home") | quick)
    (tmp_path / "driver.py").write_text(DRIVER)
    with zipfile.ZipFile(tmp_path / "empty.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
    text = PIPELINES.format(master=master, folder=str(tmp_path))
    (tmp_path / "pipes.py").write_text(text)
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "pipes.py")
    found("up", "--detach")
    yield found
    found("down")


def driver_of(commands: Commands, name: str) -> int:
    """Return the process of a driver once it runs."""
    file = commands.folder / f"{name}.pid"
    until(lambda: file.is_file() and file.read_text() != "", 120)
    return int(file.read_text())


def orders(commands: Commands, run: str = "*") -> list[Path]:
    """Return the files of the orders to kill drivers, of one run or of all."""
    return list((commands.folder / "home" / "logs").glob(f"{run}/drivers/*.json"))


def is_gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_task_ends_as_its_driver_and_no_driver_outlives_its_run(
    commands: Commands, graph: Graph
) -> None:
    for name in ("works", "fails", "hangs"):
        commands("run", name)
    hanging = driver_of(commands, "hangs")
    (run,) = json.loads(commands("runs", "hangs", "--json").stdout)
    until(lambda: orders(commands, run["id"]), 60)
    (order,) = orders(commands, run["id"])
    kill = decode_json(order.read_bytes(), into=DriverKill)
    assert commands("cancel", run["id"]).returncode == 0
    until(lambda: state(graph, "hangs") == "KILLED", 120)
    until(lambda: is_gone(hanging) and not orders(commands, run["id"]), 120)
    again = DriverFile(commands.folder, "again")
    again.add(kill)
    assert again.kill() is None
    until(lambda: state(graph, "fails") == "FAILED", 120)
    rows = graph.query(
        "MATCH (r:Run {state: 'FAILED'}) WHERE r.error IS NOT NULL RETURN r.error AS e"
    )
    assert any("ended as FAILED" in row["e"] for row in rows), rows
    until(lambda: state(graph, "works") == "COMPLETED", 120)

    commands("run", "lost")
    left = driver_of(commands, "lost")
    until(lambda: len(orders(commands)) == 1, 60)
    os.kill(worker_of(graph, "lost"), signal.SIGKILL)
    until(lambda: is_gone(left), 120)
    until(lambda: state(graph, "lost") == "FAILED", 60)
    assert reason(graph, "lost") == "LOST"
    until(lambda: not orders(commands), 60)
