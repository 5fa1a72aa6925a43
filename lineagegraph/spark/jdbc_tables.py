"""The tables in the `dbtable` or `query` option of a JDBC source, parsed by sqlglot."""

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

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
