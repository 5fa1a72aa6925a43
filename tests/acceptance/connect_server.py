"""A Spark Connect server on loopback, from the pyspark package."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lineagegraph.neo4j_server import find_java
from lineagegraph.settings import Settings
from lineagegraph.spark.submit import spark_home
from tests.acceptance.processes import until
from tests.quick_java import QUICK_SPARK

_STARTED = re.compile(r"Spark Connect server started at: (\S+)")
_CONF = {
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.connect.grpc.binding.port": "0",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "512m",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.driver.extraJavaOptions": QUICK_SPARK,
}


@contextmanager
def connect_server(folder: Path, conf: dict[str, str] | None = None) -> Iterator[str]:
    """Run a server whose working folder is `folder`, and give its address."""
    folder.mkdir(parents=True, exist_ok=True)
    java = find_java(Settings())
    environment = os.environ | {
        "SPARK_HOME": str(spark_home()),
        "SPARK_LOCAL_IP": "127.0.0.1",
        # Of its functions in Python; another one may lack pyarrow.
        "PYSPARK_PYTHON": sys.executable,
        **({"JAVA_HOME": str(java)} if java else {}),
    }
    options = [f"--conf={name}={value}" for name, value in (_CONF | (conf or {})).items()]
    main = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    submit = str(spark_home() / "bin" / "spark-submit")
    log = folder / "server.log"
    with log.open("wb") as output:
        # spark-submit becomes the server's JVM.
        process = subprocess.Popen(
            [submit, "--master", "local[2]", *options, *main, "spark-internal"],
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        until(lambda: _STARTED.search(log.read_text()), 240)
        found = _STARTED.search(log.read_text())
        assert found is not None
        yield f"sc://{found[1]}"
    finally:
        process.kill()
        process.wait()
