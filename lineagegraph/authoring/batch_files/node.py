"""Nodes of a JSON file, with checks of their types."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError
from lineagegraph.model.names.nearest import did_you_mean

AS_IT_IS = frozenset({"spark_submit"})


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value: a text, number, truth value or null, or a dict or list of nodes."""

    value: Any
    origin: Origin

    def fault(self, message: str) -> DefinitionError:
        """Return the error of this node, with its place."""
        return DefinitionError(f"{self.origin}: {message}")

    def members(self, known: Collection[str]) -> dict[str, JsonNode]:
        """Return the values of an object's keys, all `known`; `max_age` means `maxAge`."""
        found: dict[str, JsonNode] = {}
        for key, node in self.entries().items():
            name = key if key in AS_IT_IS else _camel(key)
            if name not in known:
                raise node.fault(f"is not a known key{did_you_mean(name, known)}")
            if name in found:
                raise node.fault(f"is given twice: line {found[name].origin.line} has it too")
            found[name] = node
        return found

    def located(self, members: dict[str, JsonNode]) -> Origin:
        """Return the origin with those of its members, by their names in Python."""
        return replace(self.origin, parts={_snake(key): one.origin for key, one in members.items()})

    def entries(self) -> dict[str, JsonNode]:
        """Return the values of an object with any keys."""
        found: dict[str, JsonNode] = self._as(dict, "an object {…}")
        return found

    def items(self) -> list[JsonNode]:
        """Return the items of a list."""
        found: list[JsonNode] = self._as(list, "a list […]")
        return found

    def text(self) -> str:
        """Return a text that is not empty."""
        found: str = self._as(str, "text")
        if not found.strip():
            raise self.fault("is empty")
        return found

    def flag(self) -> bool:
        """Return true or false."""
        found: bool = self._as(bool, "true or false")
        return found

    def number(self) -> float:
        """Return a number that is finite."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.fault(f"must be a number, not {self.describe()}")
        return self.value

    def texts(self) -> list[str]:
        """Return a list of texts."""
        return [one.text() for one in self.items()]

    def plain(self) -> Any:
        """Return the value as plain Python objects."""
        if isinstance(self.value, dict):
            return {name: one.plain() for name, one in self.value.items()}
        return [one.plain() for one in self.value] if isinstance(self.value, list) else self.value

    def describe(self) -> str:
        """Describe the value in a few words."""
        match self.value:
            case dict():
                return "an object"
            case list():
                return "a list"
            case None | bool():
                return {None: "null", True: "true", False: "false"}[self.value]
        return repr(self.value)[:60]

    def _as(self, kind: type[Any], called: str) -> Any:
        if not isinstance(self.value, kind):
            raise self.fault(f"must be {called}, not {self.describe()}")
        return self.value


def _camel(key: str) -> str:
    return re.sub(r"(?<=[a-z])_([a-z])", lambda found: found[1].upper(), key)


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", lambda found: f"_{found[1].lower()}", key)


def text(members: Mapping[str, JsonNode], key: str) -> str | None:
    """Return the text of a key, None if it is missing."""
    return members[key].text() if key in members else None


def texts(members: Mapping[str, JsonNode], key: str) -> list[str]:
    """Return the texts of a key, a list or a single text; an empty list if it is missing."""
    if key not in members:
        return []
    node = members[key]
    return [node.text()] if isinstance(node.value, str) else node.texts()


def plain(members: Mapping[str, JsonNode], key: str, otherwise: Any = None) -> Any:
    """Return the value of a key without checks, a default if it is missing."""
    return members[key].plain() if key in members else otherwise


def entries(members: Mapping[str, JsonNode], key: str) -> dict[str, Any]:
    """Return the object of a key, an empty one if it is missing."""
    if key not in members:
        return {}
    return {name: one.plain() for name, one in members[key].entries().items()}
