"""Programs of tasks on a real YARN cluster: their ends and their lineage."""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from lineagegraph.graph import Graph
from lineagegraph.spark.submit import spark_home
from tests.acceptance.clusters.conftest import Start
from tests.acceptance.clusters.looks import assert_lineage, error, has_open_runs, task_run
from tests.acceptance.clusters.yarn import Yarn, yarn_cluster
from tests.acceptance.daemon.looks import reason, state, status, worker_of
from tests.acceptance.processes import Commands, until

pytestmark = pytest.mark.soak

JOB = """
import sys, time
from pathlib import Path
from pyspark.sql import SparkSession, functions as F

source, target, seconds, code = *sys.argv[1:3], *map(int, sys.argv[3:])
spark = SparkSession.builder.appName("totals").getOrCreate()
orders = spark.read.option("header", True).csv(source)
totals = orders.groupBy("region").agg(F.sum("amount").alias("total"))
totals.write.mode("overwrite").parquet(target)
Path(target + ".done").write_text("")
time.sleep(seconds)
sys.exit(code)
"""
PIPELINES = """
import lineagegraph as lg

CONF = {{
    "spark.master": "yarn",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.instances": "1",
    "spark.sql.shuffle.partitions": "1",
    "spark.pyspark.python": {python!r},
    "spark.yarn.jars": "local:{home}/jars/*",
    "spark.yarn.stagingDir": "file://{folder}/staging",
}}
CLUSTER = {{"spark.submit.deployMode": "cluster"}}


def job(name, seconds=0, code=0, conf=CLUSTER):
    args = ["{folder}/orders.csv", f"{folder}/{{name}}", str(seconds), str(code)]
    work = lg.spark_submit("job", "job.py", args=args, conf=CONF | conf)
    lg.pipeline(name, tasks=[work])


job("works")
job("client", conf={{}})
job("fails", code=3)
job("breaks", code=3, conf={{}})
for name in ("killed", "cancelled", "lost"):
    job(name, seconds=300)
job("waits", seconds=20)
job("bare", conf=CLUSTER | {{"spark.pyspark.python": "/usr/bin/python3"}})
"""


@pytest.fixture(scope="module")
def yarn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yarn]:
    with yarn_cluster(tmp_path_factory.mktemp("yarn")) as found:
        yield found


@pytest.fixture
def commands(start: Start, tmp_path: Path, yarn: Yarn) -> Commands:
    (tmp_path / "job.py").write_text(JOB)
    text = PIPELINES.format(python=sys.executable, home=spark_home(), folder=tmp_path)
    return start(text, HADOOP_CONF_DIR=str(yarn.conf))


def application_of(yarn: Yarn, commands: Commands, name: str) -> str:
    """Return the application of a program that has written its data."""
    until(lambda: (commands.folder / f"{name}.done").exists(), 240)
    (found,) = [each["id"] for each in yarn.list_applications() if each["state"] == "RUNNING"]
    return str(found)


def end_of(yarn: Yarn, application: str) -> str:
    until(lambda: _state(yarn, application)["state"] in ("FINISHED", "FAILED", "KILLED"), 60)
    return str(_state(yarn, application)["finalStatus"])


def _state(yarn: Yarn, application: str) -> dict[str, str]:
    (found,) = [each for each in yarn.list_applications() if each["id"] == application]
    return found


@pytest.mark.parametrize("name", ["works", "client"])
def test_a_python_file_has_lineage_in_both_modes(
    commands: Commands, graph: Graph, yarn: Yarn, name: str
) -> None:
    commands("run", name)
    seen = set[str]()
    deadline = time.monotonic() + 240
    while state(graph, name) != "COMPLETED":
        assert time.monotonic() < deadline
        seen |= {" ".join(each.info["cmdline"] or ()) for each in psutil.process_iter(["cmdline"])}
        assert state(graph, name) != "FAILED", error(graph, name)
        time.sleep(0.5)
    assert_lineage(graph, commands.folder, name)
    # Other users of the machine see the words of processes.
    assert any("spark-submit" in words or "SparkSubmit" in words for words in seen)
    assert not any("lgr_" in words for words in seen)


@pytest.mark.parametrize(("name", "end"), [("fails", "ended as FAILED"), ("breaks", "exited with")])
def test_a_failed_program_fails_its_task_once(
    commands: Commands, graph: Graph, yarn: Yarn, name: str, end: str
) -> None:
    before = len(yarn.list_applications())
    commands("run", name)
    until(lambda: state(graph, name) == "FAILED", 240)
    assert end in error(graph, name)
    assert_lineage(graph, commands.folder, name)
    assert len(yarn.list_applications()) == before + 1


def test_a_driver_that_its_cluster_killed_fails_its_task(
    commands: Commands, graph: Graph, yarn: Yarn
) -> None:
    commands("run", "killed")
    yarn.kill(application_of(yarn, commands, "killed"))
    until(lambda: state(graph, "killed") == "FAILED", 60)
    assert "ended as KILLED" in error(graph, "killed")
    until(lambda: not has_open_runs(graph, "killed"))


def test_a_cancelled_run_kills_its_driver(commands: Commands, graph: Graph, yarn: Yarn) -> None:
    commands("run", "cancelled")
    application = application_of(yarn, commands, "cancelled")
    (run,) = json.loads(commands("runs", "cancelled", "--json").stdout)
    assert commands("cancel", run["id"]).returncode == 0
    until(lambda: state(graph, "cancelled") == "KILLED", 120)
    assert end_of(yarn, application) == "KILLED"


def test_the_driver_of_a_killed_worker_is_killed(
    commands: Commands, graph: Graph, yarn: Yarn
) -> None:
    commands("run", "lost")
    application = application_of(yarn, commands, "lost")
    os.kill(worker_of(graph, "lost"), signal.SIGKILL)
    until(lambda: state(graph, "lost") == "FAILED", 60)
    assert reason(graph, "lost") == "LOST"
    assert end_of(yarn, application) == "KILLED"


def test_a_driver_sends_its_lineage_when_the_server_is_back(
    commands: Commands, graph: Graph, yarn: Yarn
) -> None:
    commands("run", "waits")
    until(lambda: _is_running(yarn), 120)
    os.kill(status(commands)["daemons"][0]["pid"], signal.SIGKILL)
    until(lambda: (commands.folder / "waits.done").exists(), 240)
    time.sleep(60)
    assert _is_running(yarn), "the driver has to wait for the server"
    commands("up", "--detach")
    until(lambda: state(graph, "waits") == "COMPLETED", 120)
    assert_lineage(graph, commands.folder, "waits")


def _is_running(yarn: Yarn) -> bool:
    return any(each["state"] == "RUNNING" for each in yarn.list_applications())


def test_a_cluster_without_lineagegraph_runs_the_file_and_the_task_is_marked(
    commands: Commands, graph: Graph, yarn: Yarn
) -> None:
    commands("run", "bare")
    until(lambda: state(graph, "bare") == "COMPLETED", 240)
    assert (commands.folder / "bare.done").exists()
    shown = commands("show", task_run(graph, "bare")["id"]).stdout
    assert "lineagegraph cannot be imported in the driver" in " ".join(shown.split())
