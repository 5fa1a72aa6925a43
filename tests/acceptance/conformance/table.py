"""The table of differences between our capture and OpenLineage's listener, and its page."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("differences.toml")


@dataclass(frozen=True)
class Difference:
    """What only one of both tells about a query, with the reason."""

    query: str
    ours: frozenset[str]
    theirs: frozenset[str]
    why: str


def read_table() -> tuple[list[Difference], dict[str, str]]:
    """Return the differences, and the sentence of each reason."""
    found: dict[str, Any] = tomllib.loads(FILE.read_text())
    rows = [
        Difference(
            row["query"],
            frozenset(row.get("ours", ())),
            frozenset(row.get("theirs", ())),
            row["why"],
        )
        for row in found["difference"]
    ]
    return rows, found["reasons"]


def known(query: str) -> tuple[set[str], set[str]]:
    """Return what only ours and what only theirs tells about a query, by the table."""
    rows = [row for row in read_table()[0] if row.query == query]
    return set().union(*(row.ours for row in rows)), set().union(*(row.theirs for row in rows))
