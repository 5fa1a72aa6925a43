"""The graph that the settings name, with its schema up to date."""

import os

from lineagegraph import neo4j_server
from lineagegraph.errors import SettingsError
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.settings import Settings

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
    address = _address(settings, progress)
    ca = settings.neo4j_ca if settings.neo4j_uri else None
    return Graph(*address, database=settings.neo4j_database, ca=ca)


def connect_running(settings: Settings) -> Graph | None:
    """Connect to the same graph if it answers now; the managed server is not started."""
    if has_to_start(settings):
        return None
    graph = connect(settings)
    if settings.neo4j_uri and not answers(*_address(settings, None), settings.neo4j_ca):
        graph.close()
        return None
    return graph


def has_to_start(settings: Settings) -> bool:
    """Whether the graph is that of the managed server, and it does not run."""
    running = neo4j_server.ServerState.RUNNING
    return not settings.neo4j_uri and neo4j_server.status(settings, answers).state is not running


def _address(settings: Settings, progress: neo4j_server.Progress | None) -> tuple[str, str, str]:
    if not settings.neo4j_uri:
        address = neo4j_server.start(settings, answers, progress)
        return address.bolt, address.user, address.password
    if settings.neo4j_password is None:
        raise SettingsError(_IN_TASK if "LINEAGEGRAPH_RUN_ID" in os.environ else _NO_PASSWORD)
    return settings.neo4j_uri, settings.neo4j_user, settings.neo4j_password.get_secret_value()
