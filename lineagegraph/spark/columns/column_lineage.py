"""From an analyzed plan to the columns of relations behind each column that it puts out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from lineagegraph.spark.columns.expressions import expression_sources
from lineagegraph.spark.columns.transformations import NOTHING, Sources, through
from lineagegraph.spark.plan_json import PlanNode

_CLAUSES = ("matchedClauses", "notMatchedClauses", "notMatchedBySourceClauses")
_INSTRUCTIONS = ("matchedInstructions", "notMatchedInstructions", "notMatchedBySourceInstructions")
_OUTPUTS = ("output", "serializer", "outputObjAttr")


@dataclass(frozen=True)
class Column:
    """A column that an operator puts out."""

    id: int
    name: str
    sources: Sources


@dataclass(frozen=True)
class Resolved:
    """An operator's columns, and the columns that decide which rows there are."""

    columns: tuple[Column, ...] = ()
    deciding: Sources = NOTHING

    @property
    def by_id(self) -> dict[int, Sources]:
        """The sources of each column by expression id."""
        return {column.id: column.sources for column in self.columns}

    def of(self, names: Iterable[str]) -> "Resolved":
        """Return only the columns with these names."""
        wanted = set(names)
        return Resolved(tuple(c for c in self.columns if c.name in wanted), self.deciding)

    @property
    def all_sources(self) -> Sources:
        """The sources of all columns together."""
        return NOTHING.union(*(column.sources for column in self.columns))


def resolve_columns(plan: PlanNode, known: Mapping[int, Sources] | None = None) -> Resolved:
    """Return the output columns of a query, or the written columns of a command.

    `known` has the sources of attributes whose origin the plan doesn't show (a micro-batch).
    """
    return _Resolver(known or {}).resolve(query_of(plan))


def resolve_merge(plan: PlanNode) -> Resolved:
    """Return the columns that a MERGE of Delta sets."""
    return _Resolver({}).merge(plan)


def query_of(plan: PlanNode) -> PlanNode:
    """Return the query of a command, or the plan itself."""
    return plan.tree("query") or plan


class _Resolver:
    """One walk over one plan; `_outer` has the attributes that a sub-query may refer to."""

    def __init__(self, known: Mapping[int, Sources]) -> None:
        self._outer: dict[int, Sources] = dict(known)
        self._common: dict[int, Resolved] = {}

    def resolve(self, plan: PlanNode) -> Resolved:
        if rule := _RULES.get(plan.name):
            return rule(self, plan)
        return self._other(plan) if plan.children else self._leaf(plan)

    def merge(self, plan: PlanNode) -> Resolved:
        """Return what each column may be set to, by any of the clauses."""
        sides = [self.resolve(side) for side in map(plan.tree, ("source", "target")) if side]
        both = Resolved(
            tuple(column for side in sides for column in side.columns),
            NOTHING.union(*(side.deciding for side in sides)),
        )
        deciding = self._decide(both, plan, "condition", "JOIN").deciding
        found: dict[str, Sources] = {}
        for clause in (clause for field in _CLAUSES for clause in plan.trees(field)):
            if condition := clause.tree("condition"):
                sources, inner = self._expression(condition, both)
                deciding |= through(sources, "FILTER") | inner
            for action in clause.children:
                if action.name == "DeltaMergeAction":
                    sources, inner = self._expression(action.children[0], both)
                    name = _top_column(action)
                    found[name] = found.get(name, NOTHING) | sources
                    deciding |= inner
        return Resolved(tuple(Column(-1, name, made) for name, made in found.items()), deciding)

    def _project(self, plan: PlanNode) -> Resolved:
        return self._select(plan, "projectList", self._below(plan))

    def _aggregate(self, plan: PlanNode) -> Resolved:
        below = self._decide(self._below(plan), plan, "groupingExpressions", "GROUP_BY")
        return self._select(plan, "aggregateExpressions", below)

    def _filter(self, plan: PlanNode) -> Resolved:
        return self._decide(self._below(plan), plan, "condition", "FILTER")

    def _sort(self, plan: PlanNode) -> Resolved:
        return self._decide(self._below(plan), plan, "order", "SORT")

    def _window(self, plan: PlanNode) -> Resolved:
        below = self._below(plan)
        more = self._select(plan, "windowExpressions", below)
        return Resolved(below.columns + more.columns, more.deciding)

    def _union(self, plan: PlanNode) -> Resolved:
        return _by_position([self.resolve(child) for child in plan.children])

    def _intersect(self, plan: PlanNode) -> Resolved:
        """Columns have values of both sides, and whole rows are compared."""
        both = self._union(plan)
        return Resolved(both.columns, both.deciding | through(both.all_sources, "JOIN"))

    def _except(self, plan: PlanNode) -> Resolved:
        """The right side only decides which rows of the left one stay."""
        both = self._intersect(plan)
        return Resolved(self.resolve(plan.children[0]).columns, both.deciding)

    def _distinct(self, plan: PlanNode) -> Resolved:
        below = self._below(plan)
        return Resolved(below.columns, below.deciding | through(below.all_sources, "GROUP_BY"))

    def _deduplicate(self, plan: PlanNode) -> Resolved:
        return self._decide(self._below(plan), plan, "keys", "GROUP_BY")

    def _below(self, plan: PlanNode) -> Resolved:
        below = [self.resolve(child) for child in plan.children]
        return Resolved(
            tuple(column for part in below for column in part.columns),
            NOTHING.union(*(part.deciding for part in below)),
        )

    def _expression(self, expression: PlanNode, below: Resolved) -> tuple[Sources, Sources]:
        """Return the sources of an expression, and the deciding columns of its sub-queries."""
        deciding: list[Sources] = []
        scope = self._outer | below.by_id

        def subquery(plan: PlanNode) -> Sources:
            resolved = self._nested(plan, scope)
            deciding.append(resolved.deciding)
            return resolved.all_sources

        return expression_sources(expression, scope, subquery), NOTHING.union(*deciding)

    def _nested(self, plan: PlanNode, scope: dict[int, Sources]) -> Resolved:
        before, self._outer = self._outer, scope
        try:
            return self.resolve(plan)
        finally:
            self._outer = before

    def _select(self, plan: PlanNode, field: str, below: Resolved) -> Resolved:
        columns, deciding = [], below.deciding
        for expression in plan.trees(field):
            sources, inner = self._expression(expression, below)
            columns.append(Column(expression.id, _name(expression), sources))
            deciding |= inner
        return Resolved(tuple(columns), deciding)

    def _decide(self, below: Resolved, plan: PlanNode, field: str, subtype: str) -> Resolved:
        deciding = below.deciding
        for expression in plan.trees(field):
            sources, inner = self._expression(expression, below)
            deciding |= through(sources, subtype) | inner
        return Resolved(below.columns, deciding)

    def _join(self, plan: PlanNode) -> Resolved:
        both = self._decide(self._below(plan), plan, "condition", "JOIN")
        kind = str(plan.fields.get("joinType"))
        if "LeftSemi" in kind or "LeftAnti" in kind:
            return Resolved(self.resolve(plan.children[0]).columns, both.deciding)
        return both

    def _lateral_join(self, plan: PlanNode) -> Resolved:
        left = self._below(plan)
        inner = plan.trees("right")[0].tree("plan")
        assert inner is not None
        right = self._nested(inner, self._outer | left.by_id)
        both = Resolved(left.columns + right.columns, left.deciding | right.deciding)
        return self._decide(both, plan, "condition", "JOIN")

    def _generate(self, plan: PlanNode) -> Resolved:
        below, generator = self._below(plan), plan.trees("generator")[0]
        outputs, deciding = plan.trees("generatorOutput"), below.deciding
        made = []
        for output, values in zip(outputs, _generated(generator, len(outputs)), strict=True):
            found = [self._expression(value, below) for value in values]
            sources = NOTHING.union(*(sources for sources, _ in found))
            deciding |= NOTHING.union(*(inner for _, inner in found))
            made.append(Column(output.id, _name(output), sources))
        return Resolved(below.columns + tuple(made), deciding)

    def _with(self, plan: PlanNode) -> Resolved:
        *definitions, query = plan.children
        for definition in definitions:
            self._common[definition.fields["id"]] = self.resolve(definition.children[0])
        return self.resolve(query)

    def _reference(self, plan: PlanNode) -> Resolved:
        common = self._common.get(plan.fields["cteId"], Resolved())
        renamed = zip(plan.trees("output"), common.columns, strict=False)
        columns = (Column(a.id, _name(a), column.sources) for a, column in renamed)
        return Resolved(tuple(columns), common.deciding)

    def _expand(self, plan: PlanNode) -> Resolved:
        below = self._below(plan)
        projections = plan.fields.get("projections")
        if not projections:  # an UNPIVOT in a sub-query
            return self._other(plan)
        rows = [
            self._select(PlanNode("Project", {"row": row}, ()), "row", below) for row in projections
        ]
        merged = _by_position(rows)
        named = zip(plan.trees("output"), merged.columns, strict=False)
        return Resolved(tuple(Column(a.id, _name(a), c.sources) for a, c in named), below.deciding)

    def _merge_rows(self, plan: PlanNode) -> Resolved:
        """Return the sources of each column, by all instructions of a MERGE."""
        below = self._below(plan)
        outputs, deciding = plan.trees("output"), below.deciding
        made = [NOTHING] * len(outputs)
        for instruction in (each for field in _INSTRUCTIONS for each in plan.trees(field)):
            if "Copy" in str(instruction.fields.get("context")):  # keeps the row as it is
                continue
            if condition := instruction.tree("condition"):
                sources, inner = self._expression(condition, below)
                deciding |= through(sources, "FILTER") | inner
            for row in ("output", "otherOutput"):
                for at, child in enumerate(instruction.fields.get(row) or ()):
                    sources, inner = self._expression(instruction.children[child], below)
                    made[at], deciding = made[at] | sources, deciding | inner
        named = zip(outputs, made, strict=True)
        return Resolved(tuple(Column(o.id, _name(o), found) for o, found in named), deciding)

    def _leaf(self, plan: PlanNode) -> Resolved:
        attributes = plan.trees("output") + plan.trees("dataCols") + plan.trees("partitionCols")
        if not attributes:
            return Resolved()
        relation = attributes[0].id
        return Resolved(
            tuple(
                Column(a.id, _name(a), self._outer.get(a.id) or _itself(relation, a))
                for a in attributes
            )
        )

    def _other(self, plan: PlanNode) -> Resolved:
        """Pass columns on; any that are made here may come from all below (a Python function)."""
        below = self._below(plan)
        outputs = next(filter(None, map(plan.trees, _OUTPUTS)), None)
        if outputs is None:
            return below
        known = below.by_id
        everything = through(below.all_sources, "TRANSFORMATION")
        return Resolved(
            tuple(Column(o.id, _name(o), known.get(o.id, everything)) for o in outputs),
            below.deciding,
        )


def _by_position(parts: list[Resolved]) -> Resolved:
    rows = zip(*(part.columns for part in parts), strict=False)
    return Resolved(
        tuple(
            Column(row[0].id, row[0].name, NOTHING.union(*(c.sources for c in row))) for row in rows
        ),
        NOTHING.union(*(part.deciding for part in parts)),
    )


def _itself(relation: int, attribute: PlanNode) -> Sources:
    return frozenset({((relation, _name(attribute)), "IDENTITY")})


def _generated(generator: PlanNode, count: int) -> list[list[PlanNode]]:
    """Return the expressions behind each column of a generator.

    `stack(n, a, b, …)` fills rows one after the other; of others each column may have all values.
    """
    if generator.name != "Stack":
        return [[generator]] * count
    return [list(generator.children[1 + at :: count]) for at in range(count)]


def _top_column(action: PlanNode) -> str:
    """Return the column that an action of a MERGE sets, also if it sets only a field of it."""
    return str(action.fields["targetColNameParts"]).strip("[]").split(", ")[0]


def _name(expression: PlanNode) -> str:
    return str(expression.fields.get("name", ""))


_RULES: dict[str, Callable[[_Resolver, PlanNode], Resolved]] = {
    "Project": _Resolver._project,
    "Aggregate": _Resolver._aggregate,
    "Filter": _Resolver._filter,
    "Sort": _Resolver._sort,
    "Join": _Resolver._join,
    "LateralJoin": _Resolver._lateral_join,
    "Window": _Resolver._window,
    "Generate": _Resolver._generate,
    "Union": _Resolver._union,
    "Intersect": _Resolver._intersect,
    "Except": _Resolver._except,
    "Distinct": _Resolver._distinct,
    "Deduplicate": _Resolver._deduplicate,
    "DeduplicateWithinWatermark": _Resolver._deduplicate,
    "WithCTE": _Resolver._with,
    "CTERelationRef": _Resolver._reference,
    "Expand": _Resolver._expand,
    "MergeRows": _Resolver._merge_rows,
}
