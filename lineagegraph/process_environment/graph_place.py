"""Whose runs the processes of a run are: of the home whose managed Neo4j has them."""

from lineagegraph.model.names.keys import text_hash
from lineagegraph.settings import Settings


def graph_place(settings: Settings) -> str:
    """Return the hash of the home whose managed Neo4j has the graph; empty for a Neo4j of the user.

    A copy of a home has runs of the same ids, and other processes.
    """
    return "" if settings.neo4j_uri else text_hash(str(settings.home.resolve()))[:16]
