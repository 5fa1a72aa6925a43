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
    #: whether it comes and goes, with the load of the machine
    sometimes: bool


def read_table() -> tuple[list[Difference], dict[str, str]]:
    """Return the differences, and the sentence of each reason."""
    found: dict[str, Any] = tomllib.loads(FILE.read_text())
    rows = [
        Difference(
            row["query"],
            frozenset(row.get("ours", ())),
            frozenset(row.get("theirs", ())),
            row["why"],
            row.get("sometimes", False),
        )
        for row in found["difference"]
    ]
    return rows, found["reasons"]
