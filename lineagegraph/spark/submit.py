"""Command lines for `spark-submit`, from the pyspark package."""

import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from lineagegraph.errors import RunError
from lineagegraph.spark.cluster_drivers import CLIENT_LOGGING, cluster_manager


def spark_home() -> Path:
    """Return the folder of the pyspark package, which is a whole Spark."""
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None:
        raise RunError("pyspark is not installed: install lineagegraph again")
    return Path(found.origin).parent


def submit_command(
    file: str, main: str | None, args: Sequence[str], conf: Mapping[str, str]
) -> list[str]:
    """Return the command that runs a jar or Python file; `spark.master` defaults to `local[*]`.

    In cluster mode the command ends after the driver. The mode is stated in any case: one of
    `spark-defaults.conf` would let the command end before it.
    """
    manager = cluster_manager(conf)
    settings = {"spark.master": "local[*]", "spark.submit.deployMode": "client"}
    settings |= {**manager.defaults, **conf, **manager.waits} if manager else conf
    master = settings.pop("spark.master")
    options = [part for name, value in sorted(settings.items()) for part in _conf(name, value)]
    main_class = ["--class", main] if main else []
    submit = str(spark_home() / "bin" / "spark-submit")
    return [submit, "--master", master, *main_class, *options, file, *args]


def submit_environment(conf: Mapping[str, str], java_home: Path | None = None) -> dict[str, str]:
    """Return the variables that `spark-submit` needs besides those of this process.

    A driver on a cluster has the cluster's Python, unless `PYSPARK_PYTHON` or the settings name
    one: this machine's may not be there.
    """
    variables = {"SPARK_HOME": str(spark_home())}
    if not cluster_manager(conf):
        variables["PYSPARK_PYTHON"] = os.environ.get("PYSPARK_PYTHON", sys.executable)
    if java_home:
        variables["JAVA_HOME"] = str(java_home)
    if cluster_manager(conf):
        options = os.environ.get("SPARK_SUBMIT_OPTS", "")
        variables["SPARK_SUBMIT_OPTS"] = f"{options} {CLIENT_LOGGING}".strip()
    return variables


def properties_text(conf: Mapping[str, str]) -> str:
    """Return the text of a file for `--properties-file`: the user's defaults, and `conf`.

    Spark would not read `spark-defaults.conf` beside another file of properties.
    """
    folder = os.environ.get("SPARK_CONF_DIR") or spark_home() / "conf"
    defaults = Path(folder) / "spark-defaults.conf"
    before = defaults.read_text("utf-8", "replace") if defaults.is_file() else ""
    lines = [f"{name}={value.replace(chr(92), chr(92) * 2)}" for name, value in conf.items()]
    return "\n".join([before, *lines, ""])


def _conf(name: str, value: str) -> tuple[str, str]:
    return "--conf", f"{name}={value}"
