"""Small standalone Spark clusters on loopback, from the pyspark package."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lineagegraph.neo4j_server import find_java
from lineagegraph.settings import Settings
from lineagegraph.spark.submit import spark_home
from tests.acceptance.processes import until
from tests.quick_java import QUICK_SPARK

_DEPLOY = "org.apache.spark.deploy"
_STARTED = re.compile(r"Starting Spark master at (spark://\S+)")


@contextmanager
def standalone_cluster(folder: Path, cores: int = 1, workers: int = 1) -> Iterator[str]:
    """Run a master and workers with some cores, of 1 GB each, and give the master's address."""
    folder.mkdir(parents=True)
    loopback = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    running = [_start(folder, "master", [f"{_DEPLOY}.master.Master", *loopback])]
    try:
        said = folder / "master.log"
        until(lambda: _STARTED.search(said.read_text()), 240)
        found = _STARTED.search(said.read_text())
        assert found is not None
        small = ["--cores", f"{cores}", "--memory", f"{cores}g", "--work-dir", str(folder / "work")]
        worker = [f"{_DEPLOY}.worker.Worker", *loopback, *small, found[1]]
        running += [_start(folder, f"worker_{number}", worker) for number in range(workers)]
        until(lambda: said.read_text().count("Registering worker") == workers, 240)
        yield found[1]
    finally:
        for process in reversed(running):
            process.kill()
            process.wait()


def on_cluster(master: str) -> dict[str, str]:
    """Return settings of an application there, whose driver is on this machine."""
    return {
        "spark.master": master,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "512m",
        "spark.executor.extraJavaOptions": QUICK_SPARK,
        "spark.sql.shuffle.partitions": "1",
    }


def _start(folder: Path, name: str, words: list[str]) -> "subprocess.Popen[bytes]":
    java = find_java(Settings())
    environment = os.environ | {
        "SPARK_HOME": str(spark_home()),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": QUICK_SPARK,
        **({"JAVA_HOME": str(java)} if java else {}),
    }
    with (folder / f"{name}.log").open("wb") as output:
        return subprocess.Popen(
            [str(spark_home() / "bin" / "spark-class"), *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
