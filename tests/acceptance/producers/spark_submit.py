"""`spark-submit` of our PySpark, with OpenLineage's listener."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pyspark

APPLICATION = Path(__file__).parent / "spark_app.py"
LISTENER = {
    "spark.jars.packages": "io.openlineage:openlineage-spark_2.13:1.53.0",
    "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
}
QUIET = {"spark.master": "local[1]", "spark.ui.enabled": "false"}


def spark_environment() -> dict[str, str]:
    """Return the environment in which `spark-submit` is PySpark's own."""
    home = Path(pyspark.__file__).parent
    path = f"{os.environ['PATH']}{os.pathsep}{home / 'bin'}"
    return os.environ | {"SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable, "PATH": path}


def spark_submit(
    folder: Path, configuration: Mapping[str, str], *arguments: str
) -> "subprocess.CompletedProcess[str]":
    """Run the application in a folder, with the listener and what else is configured."""
    conf = [f"--conf={name}={value}" for name, value in (QUIET | LISTENER | configuration).items()]
    return subprocess.run(
        ["spark-submit", *conf, str(APPLICATION), str(folder), *arguments],
        env=spark_environment(),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
