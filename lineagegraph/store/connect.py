"""The graph that the settings name, with its schema up to date."""

import os
from functools import partial
from pathlib import Path

from lineagegraph import neo4j_server
from lineagegraph.errors import SettingsError
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.settings import Settings

_Address = tuple[str, str, str]
"""A URI, a user and a password."""
_NO_PASSWORD = "LINEAGEGRAPH_NEO4J_URI is set without LINEAGEGRAPH_NEO4J_PASSWORD: set both"
_IN_TASK = (
    "this program of a task has no password of Neo4j: state pass_env="
    '("LINEAGEGRAPH_NEO4J_PASSWORD",) at the task'
)


def open_graph(settings: Settings, progress: neo4j_server.Progress | None = None) -> Graph:
    """Connect to the Neo4j of `neo4j_uri`, or to the managed one, which is started if need be."""
    graph = connect(settings, progress)
    migrate(graph)
    return graph


def connect(settings: Settings, progress: neo4j_server.Progress | None = None) -> Graph:
    """Connect to the same graph whatever its schema is."""
    if settings.neo4j_uri:
        return _graph(settings, _stated_address(settings))
    return _graph(settings, _login(neo4j_server.start(settings, answers, progress)))


def connect_running(settings: Settings) -> Graph | None:
    """Connect to the same graph if it answers now; the managed server is not started."""
    if settings.neo4j_uri:
        address = _stated_address(settings)
    elif live := neo4j_server.live_address(settings):
        address = _login(live)
    else:
        return None
    return _graph(settings, address) if answers(*address, _ca(settings)) else None


def has_to_start(settings: Settings) -> bool:
    """Whether the graph is that of the managed server, and it does not run."""
    running = neo4j_server.ServerState.RUNNING
    return not settings.neo4j_uri and neo4j_server.status(settings, answers).state is not running


def _graph(settings: Settings, address: _Address) -> Graph:
    locate = None if settings.neo4j_uri else partial(neo4j_server.live_bolt, settings)
    return Graph(*address, database=settings.neo4j_database, ca=_ca(settings), locate=locate)


def _ca(settings: Settings) -> Path | None:
    return settings.neo4j_ca if settings.neo4j_uri else None


def _login(server: neo4j_server.ServerAddress) -> _Address:
    return server.bolt, server.user, server.password


def _stated_address(settings: Settings) -> _Address:
    if settings.neo4j_password is None:
        raise SettingsError(_IN_TASK if "LINEAGEGRAPH_RUN_ID" in os.environ else _NO_PASSWORD)
    return (
        str(settings.neo4j_uri),
        settings.neo4j_user,
        settings.neo4j_password.get_secret_value(),
    )
