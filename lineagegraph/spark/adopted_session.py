"""An existing session, such as a notebook's, whose actions are captured for one run."""

from collections.abc import Mapping

from pyspark.sql import SparkSession

from lineagegraph.errors import RunError
from lineagegraph.spark.applications import TAG
from lineagegraph.spark.capture import Emit
from lineagegraph.spark.gateway import forget_dead_gateway, is_alive
from lineagegraph.spark.listener import listener_of
from lineagegraph.spark.session_conf import prepare_environment
from lineagegraph.spark.sessions import SparkSessions
from lineagegraph.spark.tables.hidden import HIDDEN


class AdoptedSession(SparkSessions):
    """Sessions that are one existing session, which stays open.

    Actions without the job tag of a task are captured with `captures_untagged`, otherwise ignored.
    """

    def __init__(
        self, session: SparkSession, emit: Emit, *, captures_untagged: bool = False
    ) -> None:
        if not is_alive(session):
            raise RunError("the Spark session was stopped: create a new one and pass it")
        super().__init__(dict(session.sparkContext.getConf().getAll()), emit)
        self._adopted = session
        self._captures_untagged = captures_untagged

    def _open(self) -> SparkSession:
        return self._adopted

    def _release(self, session: SparkSession) -> None:
        listener = listener_of(session.sparkContext)
        listener.hearers = tuple(
            hearer for hearer in listener.hearers if hearer is not self._hearer
        )

    def _concerns(self, tags: frozenset[str]) -> bool:
        if HIDDEN in tags:
            return False
        is_of_another = any(tag.startswith(TAG) for tag in tags)
        return self._applications.knows(tags) or (self._captures_untagged and not is_of_another)


def session_here() -> SparkSession | None:
    """Return the session that this process has, if it has one."""
    session = SparkSession._instantiatedSession
    return session if session is not None and is_alive(session) else None


def start_session(options: Mapping[str, str]) -> SparkSession:
    """Return the session that these options make."""
    forget_dead_gateway()
    prepare_environment(None, options.get("spark.master", "local[*]"))
    return SparkSession.builder.config(map=dict(options)).getOrCreate()
