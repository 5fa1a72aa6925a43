"""The values of a run where the poke fields of a sensor name its parameters."""

import re
from collections.abc import Mapping
from typing import Any

from lineagegraph.execution.parameters import fill

_WHOLE = re.compile(r"\{(\w+)\}")


def filled(value: Any, params: Mapping[str, Any]) -> Any:
    """Return fields with values in them; what is `{name}` alone takes the value as it is."""
    if isinstance(value, Mapping):
        return {name: filled(one, params) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [filled(one, params) for one in value]
    if not isinstance(value, str):
        return value
    whole = _WHOLE.fullmatch(value)
    return params[whole[1]] if whole and whole[1] in params else fill(value, params)
