"""What an SQL statement does to data; how it is found is slow to import."""

import re
from typing import NamedTuple, Protocol

from lineagegraph.dataframes.described import DescribedData, Origins

LONGEST = 100_000
"""Characters of the longest statement that is looked at."""
GAP = r"(?:\s|--[^\n]*+(?:\n|\Z)|/\*.*?\*/)*+"
"""Pattern of what may be between two words, with DOTALL."""
_QUOTED = r"""(?:"[^"]*+"|`[^`]*+`|\[[^]]*+]|'[^']*+')"""
NAME = rf"(?:{_QUOTED}|[\w$#@]++)++"
"""Pattern of a name."""
# Each is read in one way only.
_WORDS = rf"""(?>--[^\n]*+|/\*.*?\*/|[^()"`[';/-]|/(?!\*)|-(?!-)|{_QUOTED})*?"""
# Elsewhere the word may be a column's name, or begin rows that a query reads.
_VALUES = re.compile(
    rf"""
    ^{GAP}(?:insert|replace)\b (?:{GAP}(?:or{GAP}\w+|ignore|overwrite)\b)?
    (?:{GAP}into\b)? (?:{GAP}table\b)? {GAP}{NAME}(?:{GAP}\.{GAP}{NAME})*+
    (?:{GAP}as\b{GAP}{NAME})? (?:{GAP}\((?:[^()"`[']|{_QUOTED})*+\))?
    (?:{GAP}(?:overriding|output)\b{_WORDS}|{GAP}) \bvalues\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_LITERALS = re.compile(
    r"""
    # names and comments stay; what is not closed goes to the end
    ("[^"]*" | `[^`]*` | \[[^]]*+(?:]|\Z) | --[^\n]* | /\*.*?(?:\*/|\Z))
    | \be'(?:[^'\\]|\\.|'')*' | (?:\b[bnux]|\bu&)?'(?:[^']|'')*' | %\(\w+\)s | %s
    | (?:(?<=[=<>,(])\s*-)? (?<![\w.$:?@]) (?:0x[0-9a-f]+ | \d[\d.]*(?:e[+-]?\d+)?) (?![\w$])
    | (?<=[=,(]) \s*NULL\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_CHANGES = re.compile(
    r"\b(?:insert|update|delete|merge|replace|create|copy|alter)\b", re.IGNORECASE
)


class SqlSource(NamedTuple):
    """A table by catalog, schema and name, as far as these are given; or files."""

    table: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    #: catalog and schema of the view that names the table
    within: tuple[str, ...] = ()


class SqlView(NamedTuple):
    """A view, and the statement that made it."""

    place: tuple[str, ...]  # as far as the database tells: catalog, schema and name
    text: str


class SqlDatabase(Protocol):
    """The database in which a statement runs."""

    @property
    def dialect(self) -> str:
        """sqlglot's name of its SQL."""

    def find(self, source: SqlSource) -> list[DescribedData]:
        """Return the datasets behind a source; none if it is no data that stays."""

    def view(self, source: SqlSource) -> SqlView | None:
        """Return the view that a source is; None of all else."""


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
