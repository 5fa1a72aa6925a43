"""A query with its parameters as literals."""

import re
from collections.abc import Mapping

_PARAMETER = re.compile(r"\$(\w+)")
# Neo4j reads \u0027 as a quote that ends the text, so a quote or a backslash is escaped as itself.
_ESCAPED = {"'": "\\'", "\\": "\\\\"}
_PLAIN = re.compile(r"[^\w .:/=-]", re.ASCII)


def inline(query: str, parameters: Mapping[str, str]) -> str:
    """Return the query with literals for its parameters; their content never becomes Cypher."""
    return _PARAMETER.sub(lambda found: literal(parameters[found[1]]), query)


def literal(text: str) -> str:
    """Return a text as Cypher reads it back, without `&`, `#` or `?`: Browser cuts links there."""
    return f"'{_PLAIN.sub(_escape, text)}'"


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    if not character.isascii():
        return character
    return _ESCAPED.get(character, f"\\u{ord(character):04x}")
