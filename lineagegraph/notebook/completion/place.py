"""The kind of name to complete at the cursor."""

import re
from typing import NamedTuple

from lineagegraph.notebook.completion.names import NameKind

_MAGICS = {
    "lineage": NameKind.NODE,
    "runs": NameKind.JOB,
    "jobs": NameKind.JOB,
    "triggers": NameKind.TRIGGER,
    "cypher": NameKind.QUERY,
}
_METHODS = {
    **dict.fromkeys(("lineage", "explore", "impact", "cause"), NameKind.NODE),
    **dict.fromkeys(("jobs", "runs", "emits", "history", "trend"), NameKind.JOB),
    **dict.fromkeys(("triggers", "trigger_panel"), NameKind.TRIGGER),
    "query": NameKind.QUERY,
}

_CELL = re.compile(r"\s*%%cypher\b[^\n]*\n(.*)", re.DOTALL)
_LINE = re.compile(rf"\s*(?:\w+\s*=\s*)?%({'|'.join(_MAGICS)})\s+(?:.*\s)?([^\s'\"-]\S*|)")
_CALL = re.compile(r""".*?\b([^\W\d]\w*)\.(\w+)\(\s*(["'])((?:(?!\3).)*)""")
_CYPHER = (
    (re.compile(r"\$(\w*)$"), NameKind.PARAMETER),
    (re.compile(r"\[[^\]()]*[:|&!]\s*(\w*)$"), NameKind.TYPE),
    (re.compile(r"\([^()\[\]{}]*[:|&!]\s*(\w*)$"), NameKind.LABEL),
    (re.compile(r"\w:(\w*)$"), NameKind.LABEL_OR_TYPE),
    (re.compile(r"[^\W\d]\w*\.(\w*)$"), NameKind.PROPERTY),
    (re.compile(r"[(\[][^()\[\]{}]*\{(?:[^{}]*,)?\s*(\w*)$"), NameKind.PROPERTY),
)


class NameContext(NamedTuple):
    """The typed start of a name, and its kind.

    It is in a string with that quote in a call of that variable's method, or after a magic.
    """

    kind: NameKind
    start: str
    quote: str = ""
    variable: str = ""


def place_of(text: str) -> NameContext | None:
    """Return the context of a name at the end of a text, if it is a name of the graph."""
    cell = _CELL.fullmatch(text)
    if cell is not None:
        return _in_cypher(cell[1])
    line = text.rpartition("\n")[2]
    if magic := _LINE.fullmatch(line):
        return NameContext(_MAGICS[magic[1]], magic[2])
    call = _CALL.fullmatch(line)
    if call is not None and call[2] in _METHODS:
        return NameContext(_METHODS[call[2]], call[4], call[3], call[1])
    return None


def _in_cypher(text: str) -> NameContext | None:
    for pattern, kind in _CYPHER:
        if found := pattern.search(text):
            return NameContext(kind, found[1])
    return None
