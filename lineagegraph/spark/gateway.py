"""The JVM behind a session: whether it lives, and how to do without it once it has died."""

from collections.abc import Callable
from contextlib import suppress
from subprocess import TimeoutExpired
from typing import Any

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext
from pyspark.sql import SparkSession
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_fixed

from lineagegraph.text import signal_name

_RETRY_SECONDS = 0.1
_RETRIES_SECONDS = 5.0
_DEATH_SECONDS = 0.5
_DEATH = "Spark's JVM died"
_ADVICE = ": if the system killed it for want of memory, give Spark less or the machine more"


def is_interrupt(error: BaseException | None) -> bool:
    """Return whether an error is an interrupt, or an error that Py4J made of one.

    After an interrupt Py4J has the JVM close all connections, those that are just opened too
    (`GatewayServer.shutdownSocket` compares the port of the server). So the next call may fail, and
    pyspark makes one before the interrupt reaches its caller.
    """
    hidden = isinstance(error, Py4JError)
    while hidden and error and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return isinstance(error, KeyboardInterrupt)


def call_jvm(call: Callable[[], Any]) -> Any:
    """Make a call that goes to the JVM, again while an interrupt closes its connection."""
    attempts = Retrying(
        retry=retry_if_exception(_lost_its_connection),
        wait=wait_fixed(_RETRY_SECONDS),
        stop=stop_after_delay(_RETRIES_SECONDS),
        reraise=True,
    )
    return attempts(call)


def _lost_its_connection(error: BaseException) -> bool:
    return isinstance(error, Py4JError) and not isinstance(error, Py4JJavaError)


def is_connect(session: Any) -> bool:
    """Return whether a session is one of Spark Connect, which has no JVM here."""
    return type(session).__module__.startswith("pyspark.sql.connect.")


def is_alive(session: SparkSession) -> bool:
    """Return whether a session can be used: it is not stopped and its JVM lives."""
    context = session.sparkContext
    return context._jsc is not None and not _is_dead(context._gateway)


def make_active(session: SparkSession) -> None:
    """Make a session that of this thread: catalogs such as Delta's ask for it."""
    context: Any = session.sparkContext
    context._jvm.org.apache.spark.sql.SparkSession.setActiveSession(session._jsparkSession)


def forget_dead_gateway() -> None:
    """Let the next session start a new JVM if pyspark still holds a dead one."""
    if not _is_dead(SparkContext._gateway):
        return
    SparkContext._gateway = None
    SparkContext._jvm = None
    SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = None


def note_dead_jvm(error: BaseException | None) -> None:
    """Add to an error that comes from the death of Spark's JVM that it does."""
    process = getattr(SparkContext._gateway, "proc", None)
    is_noted = any(note.startswith(_DEATH) for note in getattr(error, "__notes__", ()))
    # What a JVM answers comes from one that lives.
    if isinstance(error, Py4JJavaError) or not isinstance(error, ConnectionError | Py4JError):
        return
    if process is None or is_noted:
        return
    with suppress(TimeoutExpired):
        # Its connections close a moment before it has ended.
        code = process.wait(_DEATH_SECONDS)
        how = signal_name(-code) if code < 0 else f"exit status {code}"
        error.add_note(f"{_DEATH} ({how}){_ADVICE if how == 'SIGKILL' else ''}")


def _is_dead(gateway: object) -> bool:
    process = getattr(gateway, "proc", None)
    return process is not None and process.poll() is not None
