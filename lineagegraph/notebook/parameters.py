"""The parameters that a query names, and their values in a notebook."""

import re
from collections.abc import Mapping
from typing import Any

from lineagegraph.errors import QueryRefused

# What stands in quotes, backticks and comments names no parameter.
_NAMED = re.compile(
    r"""'(?:\\.|[^'\\])*' | "(?:\\.|[^"\\])*" | `[^`]*` | //[^\n]* | /\*.*?\*/ | \$(\w+)""",
    re.VERBOSE | re.DOTALL,
)


def named_in(text: str) -> list[str]:
    """Return the names of a query's parameters, each once."""
    return list(dict.fromkeys(found[1] for found in _NAMED.finditer(text) if found[1]))


def require_all(text: str, parameters: Mapping[str, Any]) -> None:
    """Raise `QueryRefused` where a query needs a parameter that has no value."""
    missing = ", ".join(name for name in named_in(text) if name not in parameters)
    if missing:
        raise QueryRefused(f"the query needs {missing}: give each a value, None for none")


def from_variables(text: str, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a query that are variables of the notebook."""
    return {name: variables[name] for name in named_in(text) if name in variables}
