"""The canonical form of what a task's function has besides its code.

The same values give the same form in every process, checkout and version of Python: no address,
no order of a dict or set, no folder of the project. What is long counts by its hash, and an object
that has no value of its own by its type.
"""

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType, MappingProxyType, MethodType
from typing import Any

from lineagegraph.authoring.callables import closure, defaults, function_of
from lineagegraph.authoring.canonical_values import fields_of, label, spell_value
from lineagegraph.authoring.project_scope import Own
from lineagegraph.model.names.canonical import canonical_hash, canonical_json

LONGEST = 1000
_DEEPEST = 50


def captured(call: Callable[..., Any], own: Own) -> dict[str, Any]:
    """Return what a task's function has: partial arguments, object, closure and defaults."""
    return _Speller(own).captured(call)


class _Speller:
    def __init__(self, own: Own) -> None:
        self._own = own
        self._above: list[int] = []

    def captured(self, call: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if isinstance(call, partial):
            found["arguments"] = [self._short(one) for one in call.args]
            found["keywords"] = self._named(call.keywords)
            call = call.func
        if isinstance(call, MethodType):
            found["self"] = self._short(call.__self__)
        elif not isinstance(call, FunctionType):
            found["self"] = self._short(call)
        if function := function_of(call):
            found["closure"] = self._named(closure(function))
            found["defaults"] = self._named(defaults(function))
        return {name: one for name, one in found.items() if one not in ([], {})}

    def _named(self, values: dict[str, Any]) -> dict[str, Any]:
        return {name: self._short(value) for name, value in sorted(values.items())}

    def _short(self, value: Any) -> Any:
        form = self._spell(value)
        if len(canonical_json(form)) <= LONGEST:
            return form
        return {"type": label(type(value), self._own), "sha256": canonical_hash(form)}

    def _spell(self, value: Any) -> Any:
        if id(value) in self._above:
            return {"type": "cycle", "up": self._above[::-1].index(id(value))}
        if len(self._above) > _DEEPEST:
            return {"type": label(type(value), self._own)}
        self._above.append(id(value))
        try:
            return self._spell_inside(value)
        finally:
            self._above.pop()

    def _spell_inside(self, value: Any) -> Any:
        kind = label(type(value), self._own)
        match value:
            case dict() | MappingProxyType():
                return {"type": kind, "items": _sorted(self._each(value.items()))}
            case set() | frozenset():
                return {"type": kind, "items": _sorted(self._each(value))}
            case list() | tuple() | deque():
                items = self._each(value)
                return items if type(value) is list else {"type": kind, "items": items}
            case FunctionType():
                return {"type": "function", "of": label(value, self._own)} | self.captured(value)
            case partial() | MethodType():
                form = {"type": kind, "of": label(function_of(value) or type(value), self._own)}
                return form | self.captured(value)
        fields = fields_of(value, self._own)
        if fields is None:
            return spell_value(value, self._own)
        return {"type": kind, "fields": {name: self._spell(one) for name, one in fields.items()}}

    def _each(self, values: Iterable[Any]) -> list[Any]:
        return [self._spell(value) for value in values]


def _sorted(forms: list[Any]) -> list[Any]:
    return sorted(forms, key=canonical_json)
