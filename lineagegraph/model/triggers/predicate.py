"""Tests on the payload of occurrences: the arguments of a run and its emitted values.

Values compare as in JSON: numbers with numbers, texts with texts; other pairs are neither less nor
greater.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec
import re2

from lineagegraph.errors import InvalidRule


class Comparison(StrEnum):
    """The test that a predicate applies to the value of a key."""

    EXISTS = "exists"
    NOT_EMPTY = "not empty"
    EQUALS = "="
    DIFFERS = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    MATCHES = "matches"


# The facet of the specification that has the counts of an output.
STATISTICS = "outputStatistics"
_UNARY = (Comparison.EXISTS, Comparison.NOT_EMPTY)
_ORDERS = {
    Comparison.LESS: lambda one, other: one < other,
    Comparison.AT_MOST: lambda one, other: one <= other,
    Comparison.MORE: lambda one, other: one > other,
    Comparison.AT_LEAST: lambda one, other: one >= other,
}


class Predicate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A test of one key; `value` is the operand (any JSON value)."""

    key: str
    test: Comparison
    value: Any = None

    def __str__(self) -> str:
        said = "" if self.test in _UNARY else f" {msgspec.json.encode(self.value).decode()}"
        return f"{self.key} {self.test}{said}"

    def holds(self, payload: Mapping[str, Any]) -> bool:
        """Return whether a payload passes; it never does if the key is missing."""
        if self.key not in payload:
            return False
        found = payload[self.key]
        match self.test:
            case Comparison.EXISTS:
                return True
            case Comparison.NOT_EMPTY:
                return found not in (None, "", [], {})
            case Comparison.EQUALS:
                return _equal(found, self.value)
            case Comparison.DIFFERS:
                return not _equal(found, self.value)
            case Comparison.MATCHES:
                return isinstance(found, str) and bool(re2.fullmatch(self.value, found))
        return _comparable(found, self.value) and bool(_ORDERS[self.test](found, self.value))


class Key:
    """The value of a key in a payload: `on.key("files").not_empty()`, `on.key("rows") > 0`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def exists(self) -> Predicate:
        """Return a test that the payload has the key."""
        return Predicate(key=self._name, test=Comparison.EXISTS)

    def not_empty(self) -> Predicate:
        """Return a test that the value exists and is not an empty text, list or map."""
        return Predicate(key=self._name, test=Comparison.NOT_EMPTY)

    def matches(self, pattern: str) -> Predicate:
        """Return a test that the whole text matches a regular expression (RE2 syntax)."""
        return Predicate(key=self._name, test=Comparison.MATCHES, value=pattern)

    def __eq__(self, value: object) -> Predicate:  # type: ignore[override]
        return Predicate(key=self._name, test=Comparison.EQUALS, value=value)

    def __ne__(self, value: object) -> Predicate:  # type: ignore[override]
        return Predicate(key=self._name, test=Comparison.DIFFERS, value=value)

    def __lt__(self, value: Any) -> Predicate:
        return Predicate(key=self._name, test=Comparison.LESS, value=value)

    def __le__(self, value: Any) -> Predicate:
        return Predicate(key=self._name, test=Comparison.AT_MOST, value=value)

    def __gt__(self, value: Any) -> Predicate:
        return Predicate(key=self._name, test=Comparison.MORE, value=value)

    def __ge__(self, value: Any) -> Predicate:
        return Predicate(key=self._name, test=Comparison.AT_LEAST, value=value)

    __hash__ = None  # type: ignore[assignment]


def check_predicate(predicate: Predicate) -> None:
    """Raise `InvalidRule` if a predicate is invalid."""
    if not predicate.key:
        raise InvalidRule("a predicate needs the name of a key")
    if predicate.test is Comparison.MATCHES:
        _check_pattern(predicate)
    if predicate.test in _ORDERS and not isinstance(predicate.value, int | float | str):
        raise InvalidRule(f"{predicate.key} {predicate.test}: compare with a number or a text")


def _check_pattern(predicate: Predicate) -> None:
    try:
        re2.compile(predicate.value)
    except (re2.error, TypeError) as error:
        raise InvalidRule(
            f"{predicate.key} matches {predicate.value!r}: not a regular expression: {error}"
        ) from None


def _equal(found: Any, value: Any) -> bool:
    return isinstance(found, bool) == isinstance(value, bool) and bool(found == value)


def _comparable(found: Any, value: Any) -> bool:
    numbers = [isinstance(one, int | float) and not isinstance(one, bool) for one in (found, value)]
    return all(numbers) or (isinstance(found, str) and isinstance(value, str))


def read_payload(
    params: str | None,
    emitted: str | None,
    reported: str | None = None,
    written: Mapping[str, int | None] | None = None,
) -> dict[str, Any]:
    """Return a run's payload from its JSON texts.

    What a pipeline's tasks emitted is there as `task.name`, and as `name` where just one task
    emitted that; it comes before an argument of the same name. Values of standard facets are there
    as `facet.name`; the statistics of a `written` version come before those of the whole run.
    """
    arguments: dict[str, Any] = json.loads(params) if params else {}
    facets: dict[str, Any] = json.loads(reported) if reported else {}
    if written:
        counts = {name: count for name, count in written.items() if count is not None}
        facets = facets | {STATISTICS: counts}
    return arguments | _whole(facets) | _flat(json.loads(emitted) if emitted else {})


def _flat(emitted: Mapping[str, Any]) -> dict[str, Any]:
    by_task = {task: values for task, values in emitted.items() if isinstance(values, dict)}
    counts = Counter(name for values in by_task.values() for name in values)
    bare = {
        name: value
        for values in by_task.values()
        for name, value in values.items()
        if counts[name] == 1
    }
    return dict(emitted) | bare | _whole(by_task)


def _whole(groups: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        f"{group}.{name}": value
        for group, values in groups.items()
        for name, value in values.items()
    }
