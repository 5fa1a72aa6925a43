"""What an SQL statement does to data; how it is found is slow to import."""

import re
from typing import NamedTuple, Protocol

from lineagegraph.dataframes.described import DescribedData, Origins

LONGEST = 100_000
"""Characters of the longest statement that is looked at."""
_GAP = r"(?:\s|--[^\n]*\n|/\*.*?\*/)*+"
_QUOTED = r"""(?:"[^"]*+"|`[^`]*+`|\[[^]]*+]|'[^']*+')"""
_NAME = rf"(?:{_QUOTED}|[\w$#@]++)++"
# Elsewhere the word may be a column's name, or begin rows that a query reads.
_VALUES = re.compile(
    rf"""
    ^{_GAP}(?:insert|replace)\b (?:{_GAP}(?:or{_GAP}\w+|ignore|overwrite)\b)?
    (?:{_GAP}into\b)? (?:{_GAP}table\b)? {_GAP}{_NAME}(?:{_GAP}\.{_GAP}{_NAME})*+
    (?:{_GAP}as\b{_GAP}{_NAME})? (?:{_GAP}\((?:[^()"`[']|{_QUOTED})*+\))?
    (?:{_GAP}(?:overriding|output)\b(?:[^()"`[';]|{_QUOTED})*?)? {_GAP}\bvalues\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_LITERALS = re.compile(
    r"""
    ("[^"]*" | `[^`]*` | \[[^]]*] | --[^\n]* | /\*.*?\*/)  # names and comments stay
    | \be'(?:[^'\\]|\\.|'')*' | (?:\b[bnux]|\bu&)?'(?:[^']|'')*' | %\(\w+\)s | %s
    | (?:(?<=[=<>,(])\s*-)? (?<![\w.$:?@]) (?:0x[0-9a-f]+ | \d[\d.]*(?:e[+-]?\d+)?) (?![\w$])
    | (?<=[=,(]) \s*NULL\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_CHANGES = re.compile(
    r"\b(?:insert|update|delete|merge|replace|create|copy|alter)\b", re.IGNORECASE
)
_TURNS = re.compile(
    r"(?:^|;)(?:\s|--[^\n]*\n|/\*.*?\*/)*(?:(?P<begin>begin|start\s+transaction)|(?P<commit>commit|end)"
    r"|(?P<rollback>rollback|abort))\b",
    re.IGNORECASE | re.DOTALL,
)


class SqlSource(NamedTuple):
    """A table by catalog, schema and name, as far as these are given; or files."""

    table: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class SqlDatabase(Protocol):
    """The database in which a statement runs."""

    @property
    def dialect(self) -> str:
        """sqlglot's name of its SQL."""

    def find(self, source: SqlSource) -> list[DescribedData]:
        """Return the datasets behind a source; none if it is no data that stays."""

    def view(self, source: SqlSource) -> str | None:
        """Return the statement that made a view; None of all else."""


class StatementEffect(NamedTuple):
    """The data that a statement reads and writes."""

    reads: list[DescribedData]
    writes: DescribedData | None
    origins: Origins


def without_values(text: str) -> str:
    """Return a statement without the values in it, so that a loop of INSERTs is one statement."""
    if found := _VALUES.search(text, 0, LONGEST):
        return text[: found.end()] + " (0)"
    # Behind ORDER BY a number is a column: there is always a first one.
    return _LITERALS.sub(lambda found: found[1] or "1", text[: LONGEST + 1])


def may_change(text: str) -> bool:
    """Return whether a statement may write data."""
    return _CHANGES.search(text, 0, LONGEST) is not None


def turn_of(text: str) -> str | None:
    """Return the last turn that the statements of a text give a transaction."""
    *_, turn = [None, *(found.lastgroup for found in _TURNS.finditer(text))]
    return turn
