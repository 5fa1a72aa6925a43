"""The tables and files that SQL statements read and write, found by sqlglot."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from lineagegraph.dataframes.described import Columns, DescribedData
from lineagegraph.dataframes.query_columns import find_origins
from lineagegraph.dataframes.statement_effect import (
    LONGEST,
    SqlDatabase,
    SqlSource,
    SqlView,
    StatementEffect,
)
from lineagegraph.spark.common_tables import is_common

_REPLACES = re.compile(r"^\s*(?:insert\s+or\s+\w+|replace)\s+into\b", re.IGNORECASE)
_READS_FILES = re.compile(r"^(?:read_\w+|parquet_scan|\w+_scan)$", re.IGNORECASE)
_FILE = re.compile(r"[/\\]|\.\w+$|^\w+://")
_DEEPEST_VIEW = 20
_MOST_VIEWS = 50
_CHANGES = (exp.Insert, exp.Update, exp.Delete, exp.Merge)


def effects(text: str, database: SqlDatabase) -> Iterator[StatementEffect]:
    """Yield the effect of each statement of a text; nothing of one that cannot be parsed."""
    if len(text) > LONGEST:
        return
    try:
        parsed = parse(_REPLACES.sub("INSERT INTO", text), dialect=database.dialect)
    except (SqlglotError, RecursionError, ValueError):
        return
    for statement in filter(None, parsed):
        yield _effect(statement, database)


def _effect(statement: exp.Expr, database: SqlDatabase) -> StatementEffect:
    if isinstance(statement, exp.Alter):
        return StatementEffect([], _renamed(statement, database), {})
    target, query = _target(statement)
    if target is None and not isinstance(statement, exp.Query | exp.Copy):
        return StatementEffect([], None, {})
    sources = _Sources(database)
    sources.name_in(statement, target)
    known = sources.known
    written = database.find(_source(target)) if target is not None else []
    if isinstance(statement, exp.Copy):
        files = tuple(one.name for one in statement.args["files"])
        found = database.find(SqlSource(files=files))
        if statement.args["kind"]:  # COPY … FROM
            return StatementEffect(found, written[0] if written else None, {})
        written = [DescribedData(one.name, {}) for one in found]
    reads = [one for found in known.values() for one in found]
    if not written:
        return StatementEffect(reads, None, {})
    (name, columns), *_ = written
    origins = find_origins(query, known, database.dialect) if query else {}
    if isinstance(statement, exp.Insert):
        origins = dict(zip(_named(statement, columns), origins.values(), strict=False))
    columns = columns or dict.fromkeys(origins or (query.named_selects if query else ()), "")
    columns = {one: type_ for one, type_ in columns.items() if one != "*"}
    return StatementEffect(
        reads, DescribedData(name, columns), {k: v for k, v in origins.items() if v}
    )


def _renamed(alter: exp.Alter, database: SqlDatabase) -> DescribedData | None:
    """Return a table under its new name, which is written: it often takes another's place."""
    [action, *_] = alter.args.get("actions") or [None]
    before = alter.this.find(exp.Table)
    if alter.args["kind"] != "TABLE" or not isinstance(action, exp.AlterRename) or not before:
        return None
    source = _source(before)
    found = database.find(SqlSource(table=(*source.table[:-1], action.this.name)))
    return found[0] if found else None


def _named(insert: exp.Insert, columns: Columns) -> Iterable[str]:
    """Return the columns that an INSERT fills, in its order."""
    into = insert.this
    return [one.name for one in into.expressions] if isinstance(into, exp.Schema) else columns


def _target(statement: exp.Expr) -> tuple[exp.Table | None, exp.Query | None]:
    """Return the table that a statement writes, and the query whose rows it takes."""
    if isinstance(statement, exp.Copy):
        return _target_of_copy(statement)
    is_table = isinstance(statement, exp.Create) and statement.args["kind"] == "TABLE"
    if not (isinstance(statement, _CHANGES) or (is_table and statement.expression)):
        return None, None
    query = statement.args.get("expression")
    return statement.this.find(exp.Table), query if isinstance(query, exp.Query) else None


def _target_of_copy(copy: exp.Copy) -> tuple[exp.Table | None, exp.Query | None]:
    inner = copy.this.unnest() if isinstance(copy.this, exp.Subquery) else copy.this
    if copy.args["kind"]:
        return inner.find(exp.Table), None
    if isinstance(inner, exp.Table):
        copy.set("this", exp.select("*").from_(inner.copy()))
        inner = copy.this
    return None, inner if isinstance(inner, exp.Query) else None


@dataclass
class _Sources:
    """Gives each table and file that is read a name of its own, and knows what is behind them."""

    database: SqlDatabase
    known: dict[str, list[DescribedData]] = field(default_factory=dict)
    views: int = 0

    def name_in(
        self, query: exp.Expr, target: exp.Table | None, around: tuple[SqlView, ...] = ()
    ) -> None:
        """Name the sources of a statement, or of the innermost of the views around it."""
        within = around[-1].place[:-1] if around else ()
        for table in list(query.find_all(exp.Table)):
            if table is target or is_common(table):
                continue
            source = _source(table)._replace(within=within)
            view = self.database.view(source)
            if view in around:  # no database takes it
                continue
            if view and self._has_room(around) and (inner := self._query_of(view)):
                self.views += 1
                # By itself: common tables around the view are none of it.
                self.name_in(inner, None, (*around, view))
                _put_in_place(table, inner)
            elif found := self.database.find(source):
                self._name(table, found)

    def _has_room(self, around: tuple[SqlView, ...]) -> bool:
        return len(around) < _DEEPEST_VIEW and self.views < _MOST_VIEWS

    def _query_of(self, view: SqlView) -> exp.Query | None:
        made, *_ = parse(view.text, dialect=self.database.dialect)
        query = made.args.get("expression") if isinstance(made, exp.Create) else None
        return query if isinstance(query, exp.Query) else None

    def _name(self, table: exp.Table, found: list[DescribedData]) -> None:
        name = f"source_{len(self.known)}"
        self.known[name] = found
        alias = table.alias or table.name or name
        table.set("alias", exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))
        for part in ("db", "catalog"):
            table.set(part, None)
        table.set("this", exp.to_identifier(name))


def _put_in_place(table: exp.Table, query: exp.Query) -> None:
    """Put the query of a view in its place."""
    own = exp.TableAlias(this=exp.to_identifier(table.name, quoted=True))
    found = exp.Subquery(this=query, alias=table.args.get("alias") or own)
    for part in ("joins", "pivots", "laterals"):
        found.set(part, table.args.get(part))
    table.replace(found)


def _source(table: exp.Table) -> SqlSource:
    """Return the table, or the files of `'a.parquet'` and `read_csv('a.csv')`."""
    if isinstance(function := table.this, exp.Func):
        name = function.name if isinstance(function, exp.Anonymous) else function.sql_name()
        if not _READS_FILES.match(name):
            return SqlSource()
        texts = [one for one in function.find_all(exp.Literal) if _is_path(one, function)]
        return SqlSource(files=tuple(one.name for one in texts))
    if not table.db and _FILE.search(table.name):
        return SqlSource(files=(table.name,))
    return SqlSource(table=tuple(filter(None, (table.catalog, table.db, table.name))))


def _is_path(literal: exp.Literal, function: exp.Func) -> bool:
    """Return whether a literal is a function's first argument, or in its list."""
    first = literal.parent if isinstance(literal.parent, exp.Array) else literal
    return bool(literal.is_string and first.parent is function and not first.index)
