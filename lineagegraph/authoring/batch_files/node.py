"""A part of a JSON file, and how it is read as what it must be."""

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
class Node:
    """A value: a text, number, truth value or null, or a dict or list of nodes."""

    value: Any
    origin: Origin

    def fault(self, what: str) -> DefinitionError:
        """Return what is wrong with it, and where it stands."""
        return DefinitionError(f"{self.origin}: {what}")

    def members(self, known: Collection[str]) -> dict[str, Node]:
        """Return the values of an object's keys, which are `known`; `max_age` means `maxAge`."""
        found: dict[str, Node] = {}
        for key, node in self.entries().items():
            name = key if key in AS_IT_IS else _camel(key)
            if name not in known:
                raise node.fault(f"is no known key{did_you_mean(name, known)}")
            if name in found:
                raise node.fault(f"is given twice: line {found[name].origin.line} has it too")
            found[name] = node
        return found

    def located(self, members: dict[str, Node]) -> Origin:
        """Return its place with those of its members, by their names in Python."""
        return replace(self.origin, parts={_snake(key): one.origin for key, one in members.items()})

    def entries(self) -> dict[str, Node]:
        """Return the values of an object, whose keys may be any."""
        found: dict[str, Node] = self._as(dict, "an object {…}")
        return found

    def items(self) -> list[Node]:
        """Return the items of a list."""
        found: list[Node] = self._as(list, "a list […]")
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
            raise self.fault(f"must be a number, not {self.said()}")
        return self.value

    def texts(self) -> list[str]:
        """Return a list of texts."""
        return [one.text() for one in self.items()]

    def plain(self) -> Any:
        """Return it as Python has JSON."""
        if isinstance(self.value, dict):
            return {name: one.plain() for name, one in self.value.items()}
        return [one.plain() for one in self.value] if isinstance(self.value, list) else self.value

    def said(self) -> str:
        """Return it in a few words."""
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
            raise self.fault(f"must be {called}, not {self.said()}")
        return self.value


def _camel(key: str) -> str:
    return re.sub(r"(?<=[a-z])_([a-z])", lambda found: found[1].upper(), key)


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", lambda found: f"_{found[1].lower()}", key)


def text(members: Mapping[str, Node], key: str) -> str | None:
    """Return the text of a key, if it is there."""
    return members[key].text() if key in members else None


def texts(members: Mapping[str, Node], key: str) -> list[str]:
    """Return the list of texts of a key, or the one text that it has; none if it is missing."""
    if key not in members:
        return []
    node = members[key]
    return [node.text()] if isinstance(node.value, str) else node.texts()


def plain(members: Mapping[str, Node], key: str, otherwise: Any = None) -> Any:
    """Return what a key has, to be looked at elsewhere."""
    return members[key].plain() if key in members else otherwise


def entries(members: Mapping[str, Node], key: str) -> dict[str, Any]:
    """Return the object of a key, whose keys may be any; an empty one if it is missing."""
    if key not in members:
        return {}
    return {name: one.plain() for name, one in members[key].entries().items()}
