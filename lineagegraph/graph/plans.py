"""Statements that keep the plans that Neo4j made for them in a rehearsal."""

from collections.abc import Collection
from typing import Any, LiteralString

from neo4j import Query, Result

from lineagegraph.graph.binding import Transaction


class PlanNoter:
    """A transaction of a rehearsal, which notes its statements as planned."""

    def __init__(self, transaction: Transaction, planned: set[str]) -> None:
        self._transaction = transaction
        self._planned = planned

    def run(self, query: LiteralString | Query, parameters: dict[str, Any] | None = None) -> Result:
        """Run one statement."""
        result = self._transaction.run(query, parameters)
        self._planned.add(_text(query))
        return result


class PlanKeeper:
    """A transaction in which no statement that was rehearsed is planned anew.

    By itself, Neo4j plans anew while a graph grows, though it samples indexes only every ten
    seconds: with an index that seems empty, a plan may go over all nodes to find one by its key.
    """

    def __init__(self, transaction: Transaction, planned: Collection[str]) -> None:
        self._transaction = transaction
        self._planned = planned

    def run(self, query: LiteralString | Query, parameters: dict[str, Any] | None = None) -> Result:
        """Run one statement."""
        text = _text(query)
        if text in self._planned:
            return self._transaction.run(f"CYPHER replan=skip\n{text}", parameters)
        return self._transaction.run(query, parameters)


def _text(query: LiteralString | Query) -> LiteralString:
    return query.text if isinstance(query, Query) else query
