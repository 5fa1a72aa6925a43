"""Catalyst's `toJSON`: a tree as a list in pre-order, each node with its number of children."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class PlanNode:
    """An operator or an expression; `name` is its class without the package."""

    name: str
    fields: dict[str, Any]
    children: tuple["PlanNode", ...]

    def trees(self, field: str) -> list["PlanNode"]:
        """Return the trees that are held in a field, not those that are children."""
        return list(_trees_in(self.fields.get(field)))

    def tree(self, field: str) -> "PlanNode | None":
        """Return the tree of a field, whether it's held there or is a child."""
        value = self.fields.get(field)
        if isinstance(value, int):
            return self.children[value]
        return next(_trees_in(value), None)

    @property
    def is_delta_command(self) -> bool:
        """Whether this is a command of Delta."""
        return str(self.fields["class"]).startswith("org.apache.spark.sql.delta.commands.")

    @property
    def id(self) -> int:
        """The expression id of an attribute or alias; -1 if there is none."""
        return int((self.fields.get("exprId") or {}).get("id", -1))


def parse_plan(text: str) -> PlanNode:
    """Return the tree that `toJSON` wrote."""
    return parse_tree(json.loads(text))


def parse_tree(nodes: list[dict[str, Any]]) -> PlanNode:
    """Return the tree of a list of nodes in pre-order."""
    return _parse(iter(nodes))


def _parse(nodes: Iterator[dict[str, Any]]) -> PlanNode:
    fields = next(nodes)
    children = tuple(_parse(nodes) for _ in range(fields["num-children"]))
    return PlanNode(fields["class"].rpartition(".")[2], fields, children)


def _trees_in(value: Any) -> Iterator[PlanNode]:
    if not isinstance(value, list) or not value:
        return
    if isinstance(value[0], dict) and "num-children" in value[0]:
        yield parse_tree(value)
        return
    for item in value:
        yield from _trees_in(item)
