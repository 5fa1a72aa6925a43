"""The values that a column `topic` may have, if they are in the plan itself."""

from collections.abc import Iterable, Mapping

from lineagegraph.spark.action import Table
from lineagegraph.spark.plan_json import PlanNode

Values = frozenset[str] | None
"""All values that there may be; None if that is not known. An absent topic fails the write."""

Relations = Mapping[int, tuple[Table, ...]]

_MADE = ("projectList", "aggregateExpressions")


def topics_of_column(plan: PlanNode, column: int, read: Relations) -> Values:
    """Return the values of a plan's column: literals, or the topics that Kafka's own column has.

    `column` is an expression id. Other columns, such as that of a file, are not known.
    """
    if plan.name == "Union":
        return _of_union(plan, column, read)
    for expression in (each for field in _MADE for each in plan.trees(field)):
        if expression.id == column and expression.name == "Alias":
            return _of_expression(expression, plan, read)
    if plan.children:
        return _of_children(plan, column, read)
    return _of_leaf(plan, column, read)


def _of_children(plan: PlanNode, column: int, read: Relations) -> Values:
    found = (topics_of_column(child, column, read) for child in plan.children)
    return next((values for values in found if values is not None), None)


def _of_expression(expression: PlanNode, plan: PlanNode, read: Relations) -> Values:
    children = expression.children
    match expression.name:
        case "Literal":
            value = expression.fields.get("value")
            return frozenset() if value is None else frozenset({str(value)})
        case "AttributeReference":
            return _of_children(plan, expression.id, read)
        case "If":
            chosen: Iterable[PlanNode] = children[1:]
        case "CaseWhen":
            chosen = (*children[1::2], *(children[-1:] if len(children) % 2 else ()))
        case "Alias" | "Cast" | "Coalesce":
            chosen = children
        case _:
            return None
    return _all(_of_expression(each, plan, read) for each in chosen)


def _of_union(plan: PlanNode, column: int, read: Relations) -> Values:
    """Return the values of all sides, whose columns have the ids of the first one in the output."""
    sides = [_output(child) for child in plan.children]
    if not sides or None in sides or column not in (sides[0] or ()):
        return None
    at = (sides[0] or []).index(column)
    return _all(
        topics_of_column(child, side[at], read)
        for child, side in zip(plan.children, sides, strict=True)
        if side
    )


def _output(plan: PlanNode) -> list[int] | None:
    """Return the ids of the columns of a plan, as far as a projection tells them."""
    while not (made := next(filter(None, map(plan.trees, _MADE)), [])):
        if len(plan.children) != 1 or plan.name in ("Generate", "Expand", "Window"):
            return None
        plan = plan.children[0]
    return [each.id for each in made]


def _of_leaf(plan: PlanNode, column: int, read: Relations) -> Values:
    output = plan.trees("output")
    named = [each for each in output if each.id == column and each.fields.get("name") == "topic"]
    tables = read.get(output[0].id, ()) if output else ()
    if not named or not tables or not all(t.dataset.namespace.startswith("kafka:") for t in tables):
        return None
    return frozenset(table.dataset.name for table in tables)


def _all(values: Iterable[Values]) -> Values:
    found: frozenset[str] = frozenset()
    for each in values:
        if each is None:
            return None
        found |= each
    return found
