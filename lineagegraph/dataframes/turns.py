"""The statements of a text that begin and end transactions."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lineagegraph.dataframes.statement_effect import GAP, LONGEST, NAME

_WORDS = re.compile(
    r"\b(?:begin|start|commit|end|rollback|abort|save|savepoint|release)\b", re.IGNORECASE
)
_TRANSACTION = r"(?:work|tran|transaction)\b"
# BEGIN may also open a block of statements, which END closes.
_BEGIN = (
    rf"begin\b(?={GAP}(?:;|\Z|{_TRANSACTION}|deferred|immediate|exclusive|isolation|read|not\b))"
)
_TURN = re.compile(
    rf"""
    {GAP}(?:(?P<begin>{_BEGIN}|start\s+transaction\b)
    | (?P<savepoint>savepoint\b|save\s+{_TRANSACTION})
    | (?P<release>release\b(?:\s+savepoint\b)?)
    | (?P<back>rollback\b(?:\s+{_TRANSACTION})?\s+to\b(?:\s+savepoint\b)?
        | rollback\s+tran(?:saction)?(?=\s+[\w@"[]))
    | (?P<commit>commit\b|end\b) | (?P<rollback>rollback\b|abort\b))
    (?:{GAP}(?P<name>{NAME}))?
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
# What is not closed goes to the end: no character is read twice.
_STATEMENT = re.compile(
    r"""
    (?:[^;'"`$/-]++ | '[^']*+(?:'|\Z) | "[^"]*+(?:"|\Z) | `[^`]*+(?:`|\Z)
    | --[^\n]*+ | /\*.*?(?:\*/|\Z) | \$(?P<tag>(?:[a-z_]\w*)?)\$.*?(?:\$(?P=tag)\$|\Z) | [$/-])++
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_BLOCK = re.compile(
    rf"""
    {GAP}(?:(?!{_BEGIN})begin\b
    | create\s+(?:or\s+replace\s+|temp\s+|temporary\s+)?(?:trigger|procedure|function)\b
      [^$]*?\bbegin\b)
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_END = re.compile(rf"{GAP}end\b(?!\s+(?:if|loop|case|while|repeat)\b)", re.IGNORECASE | re.DOTALL)


class SqlTurn(NamedTuple):
    """The turn that a statement gives a transaction; those of savepoints have a name."""

    kind: str
    name: str = ""


def turn_of(statement: str) -> SqlTurn | None:
    """Return the turn that a single statement gives a transaction."""
    found = _TURN.match(statement)
    if found is None:
        return None
    [kind, *_] = [one for one, text in found.groupdict().items() if text is not None]
    return SqlTurn(kind, (found["name"] or "").strip('"`[]').lower())


def split_turns(text: str) -> list[str]:
    """Return the statements of a text if one of them may be a turn, else the text itself."""
    if ";" not in text or len(text) > LONGEST or not _WORDS.search(text):
        return [text]
    return list(_statements(text))


def _statements(text: str) -> Iterator[str]:
    """Yield each statement; a block with the body of a trigger is one."""
    block = ""
    for found in _STATEMENT.finditer(text):
        part = found[0]
        if block or _BLOCK.match(part):
            block += f"{part};"
            if not _END.match(part):
                continue
            part, block = block, ""
        if part.strip():
            yield part
    if block:
        yield block
