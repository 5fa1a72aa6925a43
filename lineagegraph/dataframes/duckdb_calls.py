"""DuckDB: its SQL, and the files that its relations read and write."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from lineagegraph.dataframes.described import Columns, DescribedData
from lineagegraph.dataframes.entry_points import follow_call, names_of
from lineagegraph.dataframes.statement_effect import (
    SqlSource,
    SqlView,
    StatementEffect,
    may_change,
)
from lineagegraph.dataframes.turns import split_turns, turn_of
from lineagegraph.dataframes.uses import DataUses
from lineagegraph.spark.dataset_names import DatasetName

_QUERIES = ("execute", "sql", "query", "executemany", "from_query")
_READERS = ("read_parquet", "read_csv", "read_json", "from_parquet", "from_csv_auto")
_WRITERS = ("write_parquet", "write_csv", "to_parquet", "to_csv")
#: names of the argument that says where
_PLACES = ("path_or_buffer", "file_glob", "file_globs", "name")
_DATABASE = "duckdb:"
_FILES = """
SELECT database_name, path FROM duckdb_databases()
WHERE type = 'duckdb' AND path IS NOT NULL AND NOT internal
"""
_NAMED = """
SELECT database_name, schema_name, table_name, NULL FROM duckdb_tables()
WHERE lower(table_name) = lower($1) AND NOT internal
UNION ALL
SELECT database_name, schema_name, view_name, sql FROM duckdb_views()
WHERE lower(view_name) = lower($1) AND NOT internal
"""
_CURRENT = "SELECT current_database(), current_schema()"
_COLUMNS = """
SELECT column_name, data_type FROM duckdb_columns()
WHERE database_name = ? AND schema_name = ? AND table_name = ?
ORDER BY column_index
"""


def follow_duckdb(duckdb: ModuleType) -> None:
    """Follow connections, the module's own connection, and relations."""
    calls = _Calls(duckdb)
    for owner in (duckdb.DuckDBPyConnection, duckdb):
        for name in _QUERIES:
            follow_call(owner, name, calls.query, failed=calls.failed_query, sees_variables=True)
        for name in _READERS:
            follow_call(owner, name, calls.read)
        for name in ("begin", "commit", "rollback"):
            follow_call(owner, name, partial(calls.turn, name), failed=calls.failed_turn)
    for name in _WRITERS:
        follow_call(duckdb.DuckDBPyRelation, name, _writes)


@dataclass(frozen=True)
class _Connection:
    """A connection, asked by one of its own beside it: its results stay as they are."""

    beside: Any
    dialect: str = "duckdb"
    files: dict[str, str] = field(default_factory=dict)

    def find(self, source: SqlSource) -> list[DescribedData]:
        """Return the files, or the table of a database that is in a file."""
        if source.files:
            return [
                DescribedData(name, self._columns_of_file(file))
                for file in source.files
                for name in names_of(file)
            ]
        found = self._resolve(source) if self.files else None
        if found is None or found.database not in self.files:
            return []
        columns = dict(self.beside.execute(_COLUMNS, found[:3]).fetchall())
        named = found.name if found.schema == "main" else f"{found.schema}.{found.name}"
        return [DescribedData(DatasetName(_DATABASE + self.files[found.database], named), columns)]

    def view(self, source: SqlSource) -> SqlView | None:
        """Return the view; temporary ones are not seen from beside."""
        found = self._resolve(source)
        return SqlView(found[:3], found.made_by) if found and found.made_by else None

    def _resolve(self, source: SqlSource) -> "_Named | None":
        """Return the table or view that DuckDB takes: the first of its search path."""
        if not source.table:
            return None
        rows = self.beside.execute(_NAMED, [source.table[-1]]).fetchall()
        found = [one for one in map(_Named._make, rows) if one.is_in(source.table[:-1])]
        if len(found) < 2:
            return found[0] if found else None
        current = self.beside.execute(_CURRENT).fetchone()
        path = [one for one in (source.within, current) if one]
        return min(found, key=lambda one: one.rank(path, is_bare=len(source.table) == 1))

    def _columns_of_file(self, file: str) -> Columns:
        try:
            described = self.beside.execute("DESCRIBE SELECT * FROM " + _quoted(file)).fetchall()
        except Exception:  # it may be written now, or need options
            return {}
        return {row[0]: row[1] for row in described}


class _Named(NamedTuple):
    """A table or view of a name."""

    database: str
    schema: str
    name: str
    made_by: str | None  # of a view

    def is_in(self, places: tuple[str, ...]) -> bool:
        """Return whether it is in a schema, a database, or a schema of a database."""
        given = tuple(one.lower() for one in places)
        schema, database = self.schema.lower(), self.database.lower()
        return given in ((), (schema,), (database,), (database, schema))

    def rank(self, path: list[tuple[str, ...]], *, is_bare: bool) -> tuple[Any, ...]:
        """Return the place in a search path, of which only a bare name takes the schemas."""
        places = [self[:2] == one for one in path] if is_bare else []
        databases = [self.database == one[0] for one in path]
        return (*(not one for one in (*places, *databases, self.schema == "main")), self[:2])


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class _Asked(NamedTuple):
    """A connection that was called, and the object by which it is known.

    DuckDB makes the object of the module's own connection anew for each call.
    """

    connection: Any
    key: object


@dataclass(frozen=True)
class _Calls:
    """Notes calls of the module and of its connections."""

    duckdb: ModuleType

    def query(self, uses: DataUses, args: Any, kwargs: Any, result: Any) -> None:
        asked, args = self._asked_by(args, kwargs)
        for statement in split_turns(_text_of(args, kwargs)):
            if turn := turn_of(statement):
                _turn(uses, asked, turn.kind)
            elif uses.is_in_transaction(asked.key) and may_change(statement):
                if not uses.is_kept(asked.key, statement):
                    _keep(uses, asked, statement)
            elif uses.is_new(asked.key, statement):
                _note(uses, asked, statement)

    def failed_query(self, uses: DataUses, args: Any, kwargs: Any, error: Any) -> None:
        """Forget a transaction's writes: any error aborts it."""
        asked, args = self._asked_by(args, kwargs)
        if any(map(turn_of, split_turns(_text_of(args, kwargs)))):
            uses.end_transaction(asked.key)
        else:
            uses.abort_transaction(asked.key)

    def read(self, uses: DataUses, args: Any, kwargs: Any, result: Any) -> None:
        _, args = self._asked_by(args, kwargs)
        places = [*args[:1], *(kwargs[name] for name in _PLACES if name in kwargs)]
        for name in names_of(places[:1]):
            uses.read(name, _columns_of(result))

    def turn(self, turn: str, uses: DataUses, args: Any, kwargs: Any, result: Any) -> None:
        asked, _ = self._asked_by(args, kwargs)
        _turn(uses, asked, turn)

    def failed_turn(self, uses: DataUses, args: Any, kwargs: Any, error: Any) -> None:
        """Forget a transaction that could not end: it has ended without its writes."""
        asked, _ = self._asked_by(args, kwargs)
        uses.end_transaction(asked.key)

    def _asked_by(self, args: Any, kwargs: Any) -> tuple[_Asked, Any]:
        """Return the connection of a call, and its other arguments."""
        given = kwargs.get("connection")
        if args and isinstance(args[0], self.duckdb.DuckDBPyConnection):
            given, args = args[0], args[1:]
        if given is not None:
            return _Asked(given, given), args
        return _Asked(self.duckdb.default_connection(), self.duckdb), args


def _text_of(args: Any, kwargs: Any) -> str:
    query = args[0] if args else kwargs.get("query")
    return query if isinstance(query, str) else getattr(query, "query", "")


def _effects(connection: Any, text: str) -> list[StatementEffect]:
    from lineagegraph.dataframes.statements import effects  # slow to import

    with connection.cursor() as beside:
        files = dict(beside.execute(_FILES).fetchall())
        return list(effects(text, _Connection(beside, files=files)))


def _note(uses: DataUses, asked: _Asked, text: str) -> None:
    """Note a statement's effects."""
    found = _effects(asked.connection, text)
    for effect in found:
        uses.add_effect(effect)
    # The transaction may have begun before the task.
    if may_change(text) and not _are_seen(found):
        uses.keep_uncommitted(asked.key, text, found)


def _are_seen(effects: Sequence[StatementEffect]) -> bool:
    """Return whether all that is written can be seen from beside, as it is committed."""
    return all(effect.writes for effect in effects)


def _keep(uses: DataUses, asked: _Asked, text: str) -> None:
    """Keep a statement's effects until its transaction commits; files that it writes stay."""
    kept = []
    for effect in _effects(asked.connection, text):
        is_file = effect.writes and not effect.writes.name.namespace.startswith(_DATABASE)
        uses.add_effect(effect) if is_file else kept.append(effect)
    uses.keep_uncommitted(asked.key, text, kept)


def _turn(uses: DataUses, asked: _Asked, turn: str) -> None:
    """Begin or end a transaction; kept writes count if it commits."""
    if turn == "begin":
        uses.begin_transaction(asked.key)
    else:
        kept = uses.end_transaction(asked.key)
        for text, effects in kept.items() if turn == "commit" else ():
            later = [] if _are_seen(effects) else _effects(asked.connection, text)
            for effect in (*effects, *later):
                uses.add_effect(effect)


def _writes(uses: DataUses, args: Any, kwargs: Any, result: Any) -> None:
    relation, *more = args
    for name in names_of(more[0] if more else kwargs.get("file_name")):
        uses.write(name, _columns_of(relation))


def _columns_of(relation: Any) -> Columns:
    return dict(zip(relation.columns, map(str, relation.types), strict=True))
