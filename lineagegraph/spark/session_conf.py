"""Defaults of a session: small, local, quiet."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

API_MODE = "spark.api.mode"
REMOTE = "spark.remote"
APPLICATION_NAME = "lineagegraph"
LOOPBACK = "127.0.0.1"
_LOGGING = Path(__file__).with_name("log4j2.properties")


def session_conf(conf: Mapping[str, str]) -> dict[str, str]:
    """Return the configuration of a session: given values override the local defaults."""
    master = conf.get("spark.master", "local[*]")
    defaults = {
        "spark.master": master,
        "spark.app.name": APPLICATION_NAME,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if master.startswith("local"):
        defaults |= {
            "spark.driver.host": LOOPBACK,
            "spark.driver.bindAddress": LOOPBACK,
            "spark.sql.shuffle.partitions": str(min(8, os.cpu_count() or 2)),
        }
    return defaults | dict(conf) | _quiet(conf)


def _quiet(conf: Mapping[str, str]) -> dict[str, str]:
    """Keep Spark's log to errors; options that are given come after, and so win."""
    option = f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}"
    given = conf.get("spark.driver.extraJavaOptions", "")
    return {"spark.driver.extraJavaOptions": f"{option} {given}".rstrip()}


def application_name(conf: Mapping[str, str]) -> str:
    """Return the own name of the application's job."""
    name = conf.get("spark.app.name", APPLICATION_NAME)
    return "spark" if name == APPLICATION_NAME else name


def prepare_environment(java_home: Path | None, master: str) -> None:
    """Set the environment of Spark's launcher; values of the user stay."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if java_home:
        os.environ["JAVA_HOME"] = str(java_home)
    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", LOOPBACK)
