"""Jars whose driver runs on a standalone cluster, and what is killed beside them."""

import os
import shutil
import subprocess
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import find_java
from lineagegraph.settings import Settings
from lineagegraph.spark.submit import spark_home
from tests.acceptance.clusters.conftest import Start
from tests.acceptance.clusters.looks import assert_lineage, error
from tests.acceptance.daemon.looks import state, status
from tests.acceptance.processes import Commands, until
from tests.acceptance.producers.spark_submit import LISTENER
from tests.acceptance.standalone import standalone_cluster

pytestmark = pytest.mark.soak

JOB = """
import java.nio.file.*;
import org.apache.spark.sql.*;
import static org.apache.spark.sql.functions.*;

public class Totals {
    public static void main(String[] args) throws Exception {
        SparkSession spark = SparkSession.builder().appName("totals").getOrCreate();
        Dataset<Row> orders = spark.read().option("header", true).csv(args[0]);
        orders.groupBy("region").agg(sum("amount").as("total"))
            .write().mode("overwrite").parquet(args[1]);
        Files.writeString(Path.of(args[1] + ".done"), "" + ProcessHandle.current().pid());
        Thread.sleep(Long.parseLong(args[2]) * 1000);
        spark.stop();
    }
}
"""
PIPELINES = """
import lineagegraph as lg

CONF = {listener!r} | {{
    "spark.master": {master!r},
    "spark.submit.deployMode": "cluster",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "1",
}}


def job(name, seconds):
    args = ["{folder}/orders.csv", f"{folder}/{{name}}", str(seconds)]
    work = lg.spark_submit("job", "totals.jar", main="Totals", args=args, conf=CONF)
    lg.pipeline(name, tasks=[work])


job("works", 60)
for name in ("driver", "worker", "master"):
    job(name, 600)
"""


def compile_jar(folder: Path) -> None:
    java = find_java(Settings())
    (folder / "Totals.java").write_text(JOB)
    compiler = ["-m", "jdk.compiler/com.sun.tools.javac.Main", "-d", "classes"]
    jars = os.pathsep.join(map(str, (spark_home() / "jars").glob("*.jar")))
    words = [*compiler, "-cp", jars, "Totals.java"]
    home = java / "bin" / "java" if java else shutil.which("java")
    subprocess.run([str(home), *words], cwd=folder, check=True, timeout=300)
    with zipfile.ZipFile(folder / "totals.jar", "w") as jar:
        jar.write(folder / "classes" / "Totals.class", "Totals.class")


@contextmanager
def cluster(start: Start, folder: Path) -> Iterator[Commands]:
    """Run a cluster with a daemon whose pipelines have their drivers there."""
    compile_jar(folder)
    with standalone_cluster(folder / "cluster", cores=3) as master:
        yield start(PIPELINES.format(listener=LISTENER, master=master, folder=folder))


def driver_of(commands: Commands, name: str) -> psutil.Process:
    """Return the process of a driver that has written its data."""
    file = commands.folder / f"{name}.done"
    until(lambda: file.is_file() and file.read_text(), 300)
    return psutil.Process(int(file.read_text()))


def server(kind: str) -> psutil.Process:
    """Return the server of the cluster, `Master` or `Worker`."""
    name = f"org.apache.spark.deploy.{kind.lower()}.{kind}"
    children = psutil.Process().children(recursive=True)
    running = [each for each in children if each.status() != psutil.STATUS_ZOMBIE]
    (found,) = [each for each in running if name in each.cmdline()]
    return found


def test_a_jar_has_lineage_and_its_right_end_though_the_server_was_away_for_a_minute(
    start: Start, graph: Graph, tmp_path: Path
) -> None:
    with cluster(start, tmp_path) as commands:
        commands("run", "works")
        driver_of(commands, "works")
        until(lambda: _has_action(graph), 60)
        psutil.Process(status(commands)["daemons"][0]["pid"]).kill()
        time.sleep(60)
        commands("up", "--detach")
        until(lambda: state(graph, "works") == "COMPLETED", 240)
        assert_lineage(graph, tmp_path, "works")


def _has_action(graph: Graph) -> bool:
    return bool(graph.query("MATCH (:Run)-[:WRITES]->(d:DatasetVersion) RETURN d LIMIT 1"))


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("driver", "ended as FAILED"),
        ("worker", "ended as ERROR"),
        ("master", "may still run on spark://"),
    ],
)
def test_a_task_fails_if_its_driver_its_worker_or_its_master_is_killed(
    start: Start, graph: Graph, tmp_path: Path, name: str, fault: str
) -> None:
    with cluster(start, tmp_path) as commands:
        commands("run", name)
        driver = driver_of(commands, name)
        (driver if name == "driver" else server(name.title())).kill()
        until(lambda: state(graph, name) == "FAILED", 300)
        assert fault in error(graph, name)
        # A driver goes with its worker.
        if name != "master":
            until(lambda: not driver.is_running(), 60)
