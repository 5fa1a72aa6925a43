"""Reads and writes of Spark SQL's statements, parsed by sqlglot."""

import re
from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from lineagegraph.spark.action import Change
from lineagegraph.spark.common_tables import is_common
from lineagegraph.spark.connect.parts import (
    NOTHING,
    Effect,
    FilePaths,
    Name,
    Part,
    TemporaryView,
    Unknown,
    WrittenPart,
    named,
)

_INTO_FOLDER = re.compile(
    r"^\s*insert\s+overwrite\s+(?:local\s+)?directory\s+'(?P<path>[^']+)'"
    r"\s+(?:using|stored\s+as)\s+\w+\s+(?P<query>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_QUERY = re.compile(r"\b(select|from|table|values|with)\b", re.IGNORECASE)
_LONGEST = 200_000
_DIALECT = "spark"
# Statements that look, set, or only change what a catalog knows, not rows.
_WRITES_NOTHING = (
    *(exp.Describe, exp.Set, exp.Use, exp.Refresh, exp.Analyze, exp.Cache, exp.Uncache),
    *(exp.Comment, exp.Show),
)
_COMMANDS_THAT_WRITE_NOTHING = (
    *("SHOW", "EXPLAIN", "SET", "RESET", "MSCK REPAIR", "ADD JAR", "ADD FILE", "LIST"),
    *("OPTIMIZE", "VACUUM", "DESCRIBE", "DESC", "REFRESH", "CLEAR", "ADD ARCHIVE"),
)
# Table functions that make their rows from their arguments.
_MAKES_ROWS = (exp.GenerateSeries, exp.Explode, exp.Posexplode, exp.Inline, exp.Unnest)
_MAKE_ROWS = ("range", "explode", "explode_outer", "posexplode", "inline", "stack", "json_tuple")


def effect_of_sql(text: str) -> Effect:
    """Return the effect of a statement; one that cannot be parsed is not understood."""
    if found := _INTO_FOLDER.match(text):
        folder = WrittenPart(FilePaths((found["path"],)), "OVERWRITE")
        return Effect(effect_of_sql(found["query"]).sources, (folder,), text)
    parsed = _parse(text)
    if isinstance(parsed, exp.Query | exp.Values):
        return Effect(_sources(parsed), sql=text, is_lazy=True)
    if isinstance(parsed, exp.Create | exp.Cache) and (view := _temporary_view(parsed)):
        return Effect(view=view)
    if isinstance(parsed, exp.Drop) and parsed.args["kind"] == "VIEW":
        table = parsed.find(exp.Table)
        return Effect(dropped_view=table.name if table else None)
    if parsed is not None and _writes_nothing(parsed):
        return NOTHING
    targets = _targets(parsed) if parsed else None
    if parsed is None or targets is None:
        return Effect((Unknown("statement"),), sql=text)
    written = [target for target, _ in targets]
    sources = () if isinstance(parsed, exp.Drop | exp.Alter) else _sources(parsed, written)
    return Effect(sources, tuple(_outputs(targets, parsed)), sql=text)


def sources_of_expression(text: str) -> tuple[Part, ...]:
    """Return the tables that the sub-queries of an expression read."""
    if not _QUERY.search(text):
        return ()
    parsed = _parse(f"SELECT {text}")
    return (Unknown("expression"),) if parsed is None else _sources(parsed)


def _parse(text: str) -> exp.Expr | None:
    if len(text) > _LONGEST:
        return None
    try:
        return sqlglot.parse_one(text, dialect=_DIALECT)
    except (SqlglotError, RecursionError, ValueError):
        return None


def _writes_nothing(parsed: exp.Expr) -> bool:
    if isinstance(parsed, exp.Command):
        return str(parsed.this).upper() in _COMMANDS_THAT_WRITE_NOTHING
    if isinstance(parsed, exp.Create):
        return bool(parsed.args["kind"] != "TABLE")
    if isinstance(parsed, exp.Drop):
        return bool(parsed.args["kind"] != "TABLE" and not parsed.args.get("cascade"))
    return isinstance(parsed, _WRITES_NOTHING)


def _temporary_view(parsed: exp.Create | exp.Cache) -> TemporaryView | None:
    query = parsed.args.get("expression")
    if isinstance(parsed, exp.Cache):
        return TemporaryView(parsed.this.name, _sources(query)) if query else None
    is_temporary = parsed.find(exp.TemporaryProperty) is not None
    if parsed.args["kind"] != "VIEW" or not is_temporary:
        return None
    name = parsed.this.find(exp.Table).name
    if not isinstance(query, exp.Query):
        return TemporaryView(name, (Unknown(f"view {name}"),))
    return TemporaryView(name, _sources(query))


def _targets(parsed: exp.Expr) -> list[tuple[exp.Table, Change | None]] | None:
    """Return the tables that a statement writes; None if it is not understood."""
    change: Change | None = None
    match parsed:
        case exp.Insert():
            change = "OVERWRITE" if parsed.args.get("overwrite") else None
        case exp.Merge() | exp.Update() | exp.Delete() | exp.LoadData():
            pass
        case exp.Create():
            change = "OVERWRITE" if parsed.args.get("replace") else "CREATE"
        case exp.TruncateTable():
            return [(table, "TRUNCATE") for table in parsed.expressions]
        case exp.Drop() if parsed.args["kind"] == "TABLE":
            return [(table, "DROP") for table in parsed.find_all(exp.Table)]
        case exp.Alter():
            return _altered(parsed)
        case exp.MultitableInserts():
            inserts = list(parsed.find_all(exp.Insert))
            return [found for each in inserts for found in _targets(each) or ()] or None
        case _:
            return None
    target = parsed.this.find(exp.Table) if isinstance(parsed.this, exp.Expr) else None
    return None if target is None else [(target, change)]


def _altered(parsed: exp.Alter) -> list[tuple[exp.Table, Change | None]] | None:
    table = parsed.this.find(exp.Table)
    if parsed.args["kind"] != "TABLE" or table is None:
        return None
    actions = parsed.args.get("actions") or []
    if len(actions) == 1 and isinstance(actions[0], exp.AlterRename):
        return [(actions[0].this, "RENAME")]
    of_rows = (exp.AddPartition, exp.DropPartition, exp.AlterSet)
    return [(table, None if any(isinstance(each, of_rows) for each in actions) else "ALTER")]


def _outputs(
    targets: list[tuple[exp.Table, Change | None]], parsed: exp.Expr
) -> Iterator[WrittenPart]:
    for target, change in targets:
        previous = _name(parsed.this.find(exp.Table)) if change == "RENAME" else None
        name = _name(target)
        if change == "RENAME" and previous and len(name) == 1:
            name = (*previous[:-1], *name)
        yield WrittenPart(named(name) if name else Unknown("table"), change, previous=previous)


def _sources(parsed: exp.Expr, targets: list[exp.Table] | None = None) -> tuple[Part, ...]:
    """Return the tables of a statement, without its targets and common table expressions."""
    not_read = {id(table) for table in targets or ()}
    if isinstance(parsed, exp.Merge):  # its rows come from the target, too
        not_read.clear()
    found = [
        _source(table)
        for table in parsed.find_all(exp.Table, bfs=False)
        if id(table) not in not_read and not is_common(table)
    ]
    if isinstance(parsed, exp.LoadData):
        found.append(FilePaths((parsed.args["inpath"].name,)))
    return tuple(part for part in dict.fromkeys(found) if part != _MADE)


_MADE = Unknown("")


def _source(table: exp.Table) -> Part:
    if isinstance(function := table.this, exp.Func):
        if any(function.find_all(exp.Placeholder, exp.Parameter)):
            return Unknown("table")  # IDENTIFIER(:name)
        called = function.name if isinstance(function, exp.Anonymous) else function.sql_name()
        is_made = isinstance(function, _MAKES_ROWS) or called.lower() in _MAKE_ROWS
        return _MADE if is_made else Unknown(f"function {called.lower()}")
    name = _name(table)
    return named(name) if name else Unknown("table")


def _name(table: exp.Table | None) -> Name:
    """Return the parts of a name; none if one of them is a parameter or an expression."""
    parts = table.parts if table else []
    if not all(isinstance(part, exp.Identifier) for part in parts):
        return ()
    return tuple(part.name for part in parts)
