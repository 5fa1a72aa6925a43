"""Checks that a query only reads: a rollback does not undo every change."""

import re

from lineagegraph.errors import InvalidSensor

# Some databases run what is in `/*! … */`, and some have comments in comments.
_SKIPPED = re.compile(r"\s+|\(|--[^\n]*|/\*(?!!|M!)(?:(?!/\*|\*/).)*\*/", re.DOTALL)
_READS = re.compile(r"(SELECT|WITH|VALUES)\b", re.IGNORECASE)


def check_reads(query: str) -> None:
    """Raise `InvalidSensor` unless a query is one SELECT, WITH or VALUES."""
    at = 0
    while skipped := _SKIPPED.match(query, at):
        at = skipped.end()
    if not _READS.match(query, at):
        raise InvalidSensor("the query must be a SELECT: nothing else is sent to a database")
    if ";" in query.rstrip().removesuffix(";"):
        raise InvalidSensor(
            "the query must be one statement: leave `;` out, and pass texts that contain one as "
            "parameters"
        )
