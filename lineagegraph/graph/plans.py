"""Transactions that choose when Neo4j plans their statements."""

from enum import StrEnum
from typing import Any, LiteralString

from neo4j import Query, Result

from lineagegraph.graph.binding import Transaction


class Replan(StrEnum):
    """Whether a statement that has a plan is planned anew (Cypher's option `replan`)."""

    FORCE = "force"
    SKIP = "skip"


class PlannedTransaction:
    """A transaction whose statements are planned anew always, or never.

    By itself, Neo4j plans anew while a graph grows, though it samples indexes only every ten
    seconds: with an index that seems empty, a plan may go over all nodes to find one by its key.
    """

    def __init__(self, transaction: Transaction, replan: Replan) -> None:
        self._transaction = transaction
        self._replan = replan

    def run(self, query: LiteralString | Query, parameters: dict[str, Any] | None = None) -> Result:
        """Run one statement."""
        text = query.text if isinstance(query, Query) else query
        return self._transaction.run(f"CYPHER replan={self._replan.value}\n{text}", parameters)
