"""The values of a query's parameters in a notebook."""

from collections.abc import Mapping
from typing import Any

from lineagegraph.errors import QueryRefused
from lineagegraph.graph.statements import parameters_of


def require_all(text: str, parameters: Mapping[str, Any]) -> None:
    """Raise `QueryRefused` if a parameter of a query has no value."""
    missing = ", ".join(name for name in parameters_of(text) if name not in parameters)
    if missing:
        raise QueryRefused(f"the query needs {missing}: give each a value, None for none")


def from_variables(text: str, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a query that are variables of the notebook."""
    return {name: variables[name] for name in parameters_of(text) if name in variables}
