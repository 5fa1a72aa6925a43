"""Sessions by their kind: one with a driver in this process, or one of Spark Connect."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from pyspark.sql import SparkSession

from lineagegraph.spark.adopted_session import AdoptedSession
from lineagegraph.spark.capture import Emit
from lineagegraph.spark.connect.sessions import ConnectSessions
from lineagegraph.spark.gateway import is_connect
from lineagegraph.spark.session_conf import API_MODE, REMOTE
from lineagegraph.spark.sessions import SparkSessions

AnySessions = SparkSessions | ConnectSessions


class AskedSessions(Protocol):
    """Sessions with a configuration of their own, which start when they are asked for."""

    @property
    def conf(self) -> dict[str, str]:
        """The configuration of the session."""

    def at_start(self, more: Callable[[], Mapping[str, str]]) -> None:
        """Add the configuration that `more` returns when the session starts."""

    def session(self) -> Any:
        """Return the session."""


def sessions_of(
    conf: Mapping[str, str], emit: Emit, java_home: Path | None = None, code: Path | None = None
) -> AnySessions:
    """Return sessions with a configuration; `code` is the folder that a Connect server gets."""
    if REMOTE in conf:
        return ConnectSessions(conf, emit, code=code)
    return SparkSessions(conf, emit, java_home)


def adopted(session: Any, emit: Emit, *, captures_untagged: bool = False) -> AnySessions:
    """Return sessions that are one existing session, which stays open."""
    if is_connect(session):
        return ConnectSessions({}, emit, adopted=session)
    return AdoptedSession(session, emit, captures_untagged=captures_untagged)


def build_session(sessions: AskedSessions, options: Mapping[str, str]) -> Any:
    """Return the session that a builder with these options asks for, within `building`.

    It is that of `sessions`, started or changed by the options; or that of another server, whose
    requests are captured anyway.
    """
    own = sessions.conf.get(REMOTE)
    starts_connect = own is None and options.get(API_MODE) == "connect"
    if options.get(REMOTE, own) != own or starts_connect:
        return SparkSession.builder.config(map=dict(options)).getOrCreate()
    if own is None:
        sessions.at_start(lambda: options)
        sessions.session()
        return SparkSession.builder.config(map=dict(options)).getOrCreate()
    session = sessions.session()
    for name, value in options.items():
        with suppress(Exception):  # a server does not let clients change all
            session.conf.set(name, value)
    return session
