"""Variables, as definitions and tasks read them, from exchangeable sources of values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from lineagegraph.errors import VariableNotSet
from lineagegraph.model.pipelines.variables import checked_variable

VariableSource = Callable[[str], Any]
"""Returns the value of a variable, None if it is not set."""

_REQUIRED = object()
_sources: list[VariableSource] = []


def variable(name: str, default: Any = _REQUIRED) -> Any:
    """Return the value that a variable has in the graph, or the default if it has none.

    A definition that reads it is read again when it changes. Within one run it has one value: the
    one that the definition read or, if it did not, the first task. Elsewhere, as in a notebook, it
    is the current value; `lineagegraph.testing.variables` replaces values for a test. Raises
    `VariableNotSet` if there is neither a value nor a default.
    """
    value = _source()(checked_variable(name))
    if value is not None:
        return deepcopy(value)
    if default is _REQUIRED:
        raise VariableNotSet(
            f"variable {name!r} is not set: run `lineagegraph variable set {name} VALUE`, or "
            "give lg.variable(…) a default"
        )
    return default


@contextmanager
def offering(source: VariableSource) -> Iterator[None]:
    """Let `variable` read from a source in the meantime, in any thread."""
    _sources.append(source)
    try:
        yield
    finally:
        _sources.remove(source)


class GivenVariables:
    """The values of all variables; `seen` collects those that were read, None if not set.

    `tell` is called with each name before.
    """

    def __init__(
        self, values: Mapping[str, Any], tell: Callable[[str], None] = lambda name: None
    ) -> None:
        self._values = values
        self._tell = tell
        self.seen: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        """Return a value, and record that it was read."""
        if name not in self.seen:
            self._tell(name)
        return self.seen.setdefault(name, self._values.get(name))


def _source() -> VariableSource:
    if _sources:
        return _sources[-1]
    # Only this needs the graph: definition files are imported without its libraries.
    from lineagegraph.authoring.current_variables import value_of_now

    return value_of_now
