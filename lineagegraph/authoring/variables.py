"""Variables, as definitions and tasks read them; where the values come from is not known here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from lineagegraph.errors import VariableNotSet
from lineagegraph.model.pipelines.variables import checked_variable

Source = Callable[[str], Any]
"""Returns the value of a variable, None where nothing has set it."""

_REQUIRED = object()
_sources: list[Source] = []


def variable(name: str, default: Any = _REQUIRED) -> Any:
    """Return the value that a variable has in the graph, or where it has none, the default.

    A definition that reads it is read again when it changes. Within one run it has one value: the
    one that the definition or, if that did not ask, the first task found. Elsewhere, as in a
    notebook, it is the value of now; `lineagegraph.testing.variables` gives others for a while.
    Raises `VariableNotSet` where there is neither a value nor a default.
    """
    value = _source()(checked_variable(name))
    if value is not None:
        return deepcopy(value)
    if default is _REQUIRED:
        raise VariableNotSet(
            f"variable {name!r} is not set: `lineagegraph variable set {name} VALUE`, or "
            "give lg.variable(…) a default"
        )
    return default


@contextmanager
def offering(source: Source) -> Iterator[None]:
    """Let `variable` ask a source meanwhile, in any thread."""
    _sources.append(source)
    try:
        yield
    finally:
        _sources.remove(source)


class Handed:
    """The values of all variables, and in `seen` those that were asked for; None is: not set."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self.seen: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        """Return a value, and note that it was asked for."""
        return self.seen.setdefault(name, self._values.get(name))


def _source() -> Source:
    if _sources:
        return _sources[-1]
    # Only here is the graph needed: a definition file is imported without its libraries.
    from lineagegraph.authoring.current_variables import value_of_now

    return value_of_now
