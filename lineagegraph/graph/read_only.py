"""Statements of users that read the graph, and do nothing else.

Neo4j refuses writes in a read transaction, but not files, requests, the end of other transactions
and procedures for administrators.
"""

import re
from collections.abc import Iterator
from typing import Any

from lineagegraph.errors import WriteRefused
from lineagegraph.graph.binding import Transaction

# The plan is exact, and takes a round trip: only these words can lead to what is refused. Cypher
# also has escapes such as \u0043, which are letters of its words.
_SUSPECT = re.compile(r"call|terminate|load|\\u", re.IGNORECASE)
_PROFILE = re.compile(r"((?:\s|//[^\n]*|/\*.*?\*/)*)PROFILE\b", re.IGNORECASE | re.DOTALL)
_OPERATORS = {
    "LoadCSV": "LOAD CSV reads files and URLs",
    "TerminateTransactions": "TERMINATE TRANSACTIONS ends the queries of others",
}
PROCEDURES = re.compile(
    r"dbms\.(kill|queryJmx|setConfigValue)|db\.(clearQueryCaches|prepareForReplanning|resample|stats)"
    r"|apoc\.(load|import|export|cypher\.run|config|systemdb|log|periodic|trigger|dv|es|mongo|nlp)\b"
)
"""Procedures that reach outside of the graph or change the server, by the start of their name."""


def check_reads(tx: "Transaction", text: str, parameters: dict[str, Any]) -> None:
    """Raise `WriteRefused` for a statement that does more than read the graph."""
    if not _SUSPECT.search(text):
        return
    plan = tx.run(explained(text), parameters).consume().plan
    for operator, details in _operators(plan or {}):
        if reason := _OPERATORS.get(operator):
            raise WriteRefused(f"{reason}, which is more than to read the graph")
        if operator == "ProcedureCall" and PROCEDURES.match(details):
            name = details.partition("(")[0]
            raise WriteRefused(f"procedure {name} does more than read the graph")


def explained(text: str) -> str:
    """Return a statement that explains another."""
    # `EXPLAIN PROFILE` is an error; `EXPLAIN EXPLAIN` is none.
    return "EXPLAIN " + _PROFILE.sub(r"\1", text, count=1)


def _operators(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if plan:
        yield plan["operatorType"].partition("@")[0], str(plan.get("args", {}).get("Details", ""))
    for child in plan.get("children", ()):
        yield from _operators(child)
