"""The JVM behind a session: whether it lives, and how to do without it once it has died."""

from pyspark import SparkContext
from pyspark.sql import SparkSession


def is_alive(session: SparkSession) -> bool:
    """Return whether a session can be used: it is not stopped and its JVM lives."""
    context = session.sparkContext
    return context._jsc is not None and not _is_dead(context._gateway)


def forget_dead_gateway() -> None:
    """Let the next session start a new JVM if pyspark still holds a dead one."""
    if not _is_dead(SparkContext._gateway):
        return
    SparkContext._gateway = None
    SparkContext._jvm = None
    SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = None


def _is_dead(gateway: object) -> bool:
    process = getattr(gateway, "proc", None)
    return process is not None and process.poll() is not None
