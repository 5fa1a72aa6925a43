"""The columns that an expression uses, and how."""

from collections.abc import Callable, Iterable, Mapping

from lineagegraph.spark.columns.transformations import NOTHING, Sources, then, through
from lineagegraph.spark.plan_json import PlanNode

Subquery = Callable[[PlanNode], Sources]


def expression_sources(
    expression: PlanNode, columns: Mapping[int, Sources], subquery: Subquery, via: str = "IDENTITY"
) -> Sources:
    """Return the columns of relations behind an expression.

    `columns` has the sources of each attribute by expression id; `subquery` answers for a plan
    inside the expression.
    """
    if expression.name == "AttributeReference":
        return through(columns.get(expression.id, NOTHING), via)
    if plan := expression.tree("plan"):
        return through(subquery(plan), via)
    parts = _parts(expression, via)
    return _union(expression_sources(part, columns, subquery, how) for part, how in parts)


def _parts(expression: PlanNode, via: str) -> list[tuple[PlanNode, str]]:
    match expression.name:
        case "Alias":
            return [(child, via) for child in expression.children]
        case "OuterReference":
            return [(held, via) for held in expression.trees("e")]
        case "AggregateExpression":
            return _split(expression, via, then(via, "AGGREGATION"), [(1, "FILTER")])
        case "WindowExpression":
            return _split(expression, via, then(via, "TRANSFORMATION"), [(1, "WINDOW")])
        case "If":
            return _split(expression, via, then(via, "TRANSFORMATION"), [(0, "CONDITIONAL")])
        case "CaseWhen":
            conditions = range(0, len(expression.children) - 1, 2)
            deciding = [(position, "CONDITIONAL") for position in conditions]
            return _split(expression, via, then(via, "TRANSFORMATION"), deciding)
    return [(child, then(via, "TRANSFORMATION")) for child in expression.children]


def _split(
    expression: PlanNode, via: str, value: str, deciding: list[tuple[int, str]]
) -> list[tuple[PlanNode, str]]:
    """Return the deciding children and the children that give the value."""
    special = dict(deciding)
    return [
        (child, then(via, special[position]) if position in special else value)
        for position, child in enumerate(expression.children)
    ]


def _union(sources: Iterable[Sources]) -> Sources:
    return NOTHING.union(*sources)
