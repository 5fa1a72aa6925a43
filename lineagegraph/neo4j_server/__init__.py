"""A Neo4j that lineagegraph fetches, starts, stops and keeps for one user on one machine."""

from lineagegraph.neo4j_server.address import ServerAddress
from lineagegraph.neo4j_server.browser import Noun, browser_address, browser_link
from lineagegraph.neo4j_server.jars import Progress
from lineagegraph.neo4j_server.java import find_java
from lineagegraph.neo4j_server.java_fetch import ensure_java
from lineagegraph.neo4j_server.readiness import (
    Answers,
    ServerState,
    ServerStatus,
    live_address,
    live_bolt,
    status,
)
from lineagegraph.neo4j_server.server import prepare, start, stop

__all__ = [
    "Answers",
    "Noun",
    "Progress",
    "ServerAddress",
    "ServerState",
    "ServerStatus",
    "browser_address",
    "browser_link",
    "ensure_java",
    "find_java",
    "live_address",
    "live_bolt",
    "prepare",
    "start",
    "status",
    "stop",
]
