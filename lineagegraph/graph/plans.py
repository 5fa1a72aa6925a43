"""Statements that keep the plans that Neo4j has for them."""

from typing import Any, LiteralString

from neo4j import Query, Result

from lineagegraph.graph.binding import Transaction


class PlanKeeper:
    """A transaction in which no statement that has a plan is planned anew.

    By itself, Neo4j plans anew while a graph grows, though it samples indexes only every ten
    seconds: with an index that seems empty, a plan may go over all nodes to find one by its key.
    """

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def run(self, query: LiteralString | Query, parameters: dict[str, Any] | None = None) -> Result:
        """Run one statement."""
        text = query.text if isinstance(query, Query) else query
        return self._transaction.run(f"CYPHER replan=skip\n{text}", parameters)
