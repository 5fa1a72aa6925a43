"""Parameters of tasks: as Python values, and as text for commands."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from lineagegraph.model.pipelines.definition import Parameter
from lineagegraph.model.pipelines.parameters import as_text

REVIVED: dict[str, Callable[[str], Any]] = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
}
_WHOLE = re.compile(r"\{(\w+)\}")


def revive(parameters: Iterable[Parameter], params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as functions expect them: dates and times from their ISO 8601 text."""
    types = {parameter.name: parameter.type for parameter in parameters}
    return {name: _revive(types.get(name), value) for name, value in params.items()}


def fill(text: str, params: Mapping[str, Any]) -> str:
    """Replace `{name}` by the value of a parameter; other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda m: as_text(params[m[1]]) if m[1] in params else m[0], text)


def fill_all(value: Any, params: Mapping[str, Any]) -> Any:
    """Replace them in all texts of a value; a text that is just `{name}` becomes its value."""
    if isinstance(value, Mapping):
        return {name: fill_all(one, params) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [fill_all(one, params) for one in value]
    if not isinstance(value, str):
        return value
    whole = _WHOLE.fullmatch(value)
    return params[whole[1]] if whole and whole[1] in params else fill(value, params)


def _revive(kind: str | None, value: Any) -> Any:
    if kind in REVIVED and isinstance(value, str):
        return REVIVED[kind](value)
    return value
