"""Command lines for `spark-submit`, from the pyspark package."""

import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from lineagegraph.errors import RunError


def spark_home() -> Path:
    """Return the folder of the pyspark package, which is a whole Spark."""
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None:
        raise RunError("pyspark is not installed: install lineagegraph again")
    return Path(found.origin).parent


def submit_command(
    file: str, main: str | None, args: Sequence[str], conf: Mapping[str, str]
) -> list[str]:
    """Return the command that runs a jar or Python file; `spark.master` defaults to `local[*]`."""
    settings = {"spark.master": "local[*]"} | dict(conf)
    master = settings.pop("spark.master")
    options = [part for name, value in sorted(settings.items()) for part in _conf(name, value)]
    main_class = ["--class", main] if main else []
    submit = str(spark_home() / "bin" / "spark-submit")
    return [submit, "--master", master, *main_class, *options, file, *args]


def submit_environment(java_home: Path | None = None) -> dict[str, str]:
    """Return the variables that `spark-submit` needs besides those of this process."""
    variables = {
        "SPARK_HOME": str(spark_home()),
        "PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable),
    }
    return variables | ({"JAVA_HOME": str(java_home)} if java_home else {})


def _conf(name: str, value: str) -> tuple[str, str]:
    return "--conf", f"{name}={value}"
