"""The tables in the `dbtable` or `query` option of a JDBC source, parsed by sqlglot."""

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.lineage import Node, lineage
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope
from sqlglot.schema import MappingSchema

Origins = dict[str, dict[str, str]]
"""The columns of a table behind each column of a query, with the subtype of the transformation."""

_PLAIN = re.compile(r"[\w$]+(\.[\w$]+)*")
_QUOTES = re.compile(r"[\"`\[\]]")
#: sqlglot's names of the dialects of JDBC drivers; any other is read as plain SQL
_DIALECTS = {
    "postgresql": "postgres",
    "mariadb": "mysql",
    "sqlserver": "tsql",
    "databricks": "databricks",
    "spark": "spark",
} | {
    name: name
    for name in (
        *("mysql", "oracle", "snowflake", "bigquery", "trino", "presto", "clickhouse"),
        *("redshift", "sqlite", "duckdb", "teradata", "exasol"),
    )
}


def queried_tables(kind: str, text: str) -> list[str]:
    """Return the tables behind what stands in the FROM of a query, as Spark puts it there.

    That is a table, a join, or a query in brackets. Names of common table expressions, literals
    and comments are no tables. The list is empty if the text cannot be parsed.
    """
    if _PLAIN.fullmatch(text.strip()):
        return [text.strip()]
    query = _parse(kind, f"SELECT * FROM {text}")
    if query is None:
        return []
    scopes = traverse_scope(query)
    sources = [source for scope in scopes for source in scope.sources.values()]
    tables = [source for source in sources if isinstance(source, exp.Table)]
    return list(dict.fromkeys(filter(None, map(_name, tables))))


def queried_columns(kind: str, text: str) -> dict[str, Origins] | None:
    """Return the columns of each table behind the columns of a query, in lower case.

    None stands for a table itself, and for a query whose columns cannot be resolved.
    """
    query, dialect = _parse(kind, f"SELECT * FROM {text}"), _DIALECTS.get(kind)
    if _PLAIN.fullmatch(text.strip()) or query is None:
        return None
    try:
        query = normalize_identifiers(query, dialect=dialect)
        if any(_selects_all(scope) for scope in traverse_scope(query)):
            return None
        names, schema = _numbered_tables(query)
        known = MappingSchema(dict[str, object](schema), dialect=dialect, normalize=False)
        resolved = qualify(query, dialect=dialect, schema=known)
        if not isinstance(resolved, exp.Query) or "*" in resolved.named_selects:
            return None
        nodes = lineage(None, resolved, known, dialect=dialect)
    except (SqlglotError, RecursionError, ValueError, KeyError):
        return None
    assert isinstance(nodes, dict)
    found: dict[str, Origins] = {name: {} for name in names.values()}
    for column, node in nodes.items():
        parts = list(node.walk())
        for part in parts:
            if isinstance(part.source, exp.Table) and not part.downstream:
                own = part.name.rpartition(".")[2].strip('"`[]')
                origins = found[names[part.source.name]].setdefault(column.lower(), {})
                origins[own] = _subtype(parts)
    return found


def _selects_all(scope: Scope) -> bool:
    """Return whether a `*` stands for columns of tables, which are not known here."""
    is_star = isinstance(scope.expression, exp.Select) and scope.expression.is_star
    return is_star and any(isinstance(each, exp.Table) for each in scope.sources.values())


def _numbered_tables(query: exp.Expr) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Rename the tables of a query, and return their names and the columns that it asks for."""
    names: dict[str, str] = {}
    schema: dict[str, dict[str, str]] = {}
    for scope in traverse_scope(query):
        tables = {a: t for a, t in scope.sources.items() if isinstance(t, exp.Table)}
        for alias, table in tables.items():
            if table.name not in names:
                names[number := f"numbered_{len(names)}"] = _name(table)
                schema[number] = {}
                table.replace(exp.alias_(exp.to_table(number), alias, table=True, quoted=True))
                tables[alias] = exp.to_table(number)
        for column in scope.columns:
            alias = column.table or (next(iter(scope.sources)) if len(scope.sources) == 1 else "")
            if asked := tables.get(alias):
                schema[asked.name][column.name] = "TEXT"
    return names, schema


def _subtype(nodes: list[Node]) -> str:
    made = [node.expression.unalias() for node in nodes if node.downstream]
    if any(each.find(exp.AggFunc) for each in made if not isinstance(each, exp.Query)):
        return "AGGREGATION"
    return "IDENTITY" if all(isinstance(each, exp.Column) for each in made) else "TRANSFORMATION"


def written_table(kind: str, text: str) -> str:
    """Return the name of the table that is written, without quotes."""
    if _PLAIN.fullmatch(text.strip()):
        return text.strip()
    query = _parse(kind, f"SELECT * FROM {text}")
    table = query.find(exp.Table) if query else None
    return (table and _name(table)) or _QUOTES.sub("", text)


def _parse(kind: str, text: str) -> exp.Expr | None:
    try:
        return sqlglot.parse_one(text, dialect=_DIALECTS.get(kind))
    except (SqlglotError, RecursionError, ValueError):
        return None


def _name(table: exp.Table) -> str:
    return ".".join(part.name for part in table.parts if part.name)
