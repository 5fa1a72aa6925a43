"""The Spark sessions of a worker, or of the process of a cluster."""

from collections.abc import Mapping
from pathlib import Path

from lineagegraph.settings import Settings
from lineagegraph.spark.archived_code import archived_code_conf
from lineagegraph.spark.capture import Emit
from lineagegraph.spark.session_conf import REMOTE
from lineagegraph.spark.session_kinds import AnySessions, sessions_of
from lineagegraph.spark.tables.place import tables_conf


def open_sessions(
    code: Path,
    java_home: Path | None,
    settings: Settings,
    conf: Mapping[str, str],
    emit: Emit,
) -> AnySessions:
    """Return sessions with the installation's tables and the archived code."""
    if REMOTE in conf:
        return sessions_of(conf, emit, code=code)
    return sessions_of(tables_conf(settings) | archived_code_conf(conf, code), emit, java_home)
