"""The one road to Neo4j: a connection, statements bound to functions, and the schema."""

from lineagegraph.graph.binding import Transaction, bound
from lineagegraph.graph.connection import Graph, answers
from lineagegraph.graph.schema import list_applied, list_migrations, migrate, revert

__all__ = [
    "Graph",
    "Transaction",
    "answers",
    "bound",
    "list_applied",
    "list_migrations",
    "migrate",
    "revert",
]
