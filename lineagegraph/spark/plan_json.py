"""Catalyst's `toJSON`: a tree as a list in pre-order, each node with its number of children."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lineagegraph.spark.jvm import sequence


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


def read_plan(plan: Any) -> PlanNode:
    """Return the tree of a plan of the JVM."""
    tree = parse_plan(plan.toJSON())
    for path, expand in _unprinted(tree):
        found = plan
        for child in path:
            found = found.children().apply(child)
        expand.fields["projections"] = [
            [json.loads(expression.toJSON()) for expression in sequence(row)]
            for row in sequence(found.projections())
        ]
    return tree


def _unprinted(tree: PlanNode, *path: int) -> Iterator[tuple[tuple[int, ...], PlanNode]]:
    """Yield what UNPIVOT becomes, whose JSON has no projections if Python gives their columns."""
    if tree.name == "Expand" and not tree.fields.get("projections"):
        yield path, tree
    for at, child in enumerate(tree.children):
        yield from _unprinted(child, *path, at)


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
