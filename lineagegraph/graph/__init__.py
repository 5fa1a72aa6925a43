"""The one road to Neo4j: a connection, statements bound to functions, and the schema."""

# Before all that use the driver.
import lineagegraph.graph.driver  # noqa: F401
from lineagegraph.graph.ask import QueryAnswer, ask, read_notices
from lineagegraph.graph.binding import Transaction, bound
from lineagegraph.graph.commits import LastCommit
from lineagegraph.graph.connection import Graph, answers
from lineagegraph.graph.parts import read_in_parts
from lineagegraph.graph.receipts import note_receipt
from lineagegraph.graph.renewal import renewing
from lineagegraph.graph.schema import list_applied, list_migrations, migrate, revert
from lineagegraph.graph.shelter import Shelter

__all__ = [
    "Graph",
    "LastCommit",
    "QueryAnswer",
    "Shelter",
    "Transaction",
    "answers",
    "ask",
    "bound",
    "list_applied",
    "list_migrations",
    "migrate",
    "note_receipt",
    "read_in_parts",
    "read_notices",
    "renewing",
    "revert",
]
