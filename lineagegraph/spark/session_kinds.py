"""Sessions by their kind: one with a driver in this process, or one of Spark Connect."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lineagegraph.spark.adopted_session import AdoptedSession
from lineagegraph.spark.capture import Emit
from lineagegraph.spark.connect.sessions import ConnectSessions
from lineagegraph.spark.gateway import is_connect
from lineagegraph.spark.session_conf import REMOTE
from lineagegraph.spark.sessions import SparkSessions

AnySessions = SparkSessions | ConnectSessions


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
