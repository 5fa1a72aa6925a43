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
    StatementEffect,
    may_change,
    turn_of,
)
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
_COLUMNS = """
SELECT database_name, schema_name, column_name, data_type FROM duckdb_columns()
WHERE table_name = ? AND (database_name = ? OR ? IS NULL) AND (schema_name = ? OR ? IS NULL)
ORDER BY database_name <> current_database(), database_name, schema_name, column_index
"""
_VIEWS = """
SELECT sql FROM duckdb_views()
WHERE view_name = ? AND NOT internal AND (? IS NULL OR ? IN (schema_name, database_name))
ORDER BY database_name <> current_database(), schema_name
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
        return self._find_table(source.table) if source.table and self.files else []

    def view(self, source: SqlSource) -> str | None:
        """Return the statement that made a view; temporary ones are not seen from beside."""
        if not source.table:
            return None
        *places, name = source.table
        place = places[-1] if places else None
        found = self.beside.execute(_VIEWS, [name, place, place]).fetchone()
        return str(found[0]) if found else None

    def _find_table(self, table: tuple[str, ...]) -> list[DescribedData]:
        *places, name = table
        schema = places[-1] if places else None
        catalog = places[0] if len(places) > 1 else None
        # `a.t` may be a schema's or a database's.
        if catalog is None and schema in self.files:
            catalog, schema = schema, None
        rows = self.beside.execute(_COLUMNS, [name, catalog, catalog, schema, schema]).fetchall()
        found = [row for row in rows if row[0] in self.files and row[:2] == rows[0][:2]]
        if not found:
            return []
        database, schema = found[0][:2]
        named = name if schema == "main" else f"{schema}.{name}"
        columns = {column: type_ for *_, column, type_ in found}
        return [DescribedData(DatasetName(f"{_DATABASE}{self.files[database]}", named), columns)]

    def _columns_of_file(self, file: str) -> Columns:
        try:
            described = self.beside.execute("DESCRIBE SELECT * FROM " + _quoted(file)).fetchall()
        except Exception:  # it may be written now, or need options
            return {}
        return {row[0]: row[1] for row in described}


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
        text = _text_of(args, kwargs)
        turn = turn_of(text)
        _turn(uses, asked, turn)
        if turn == "rollback":
            return
        if uses.is_in_transaction(asked.key) and may_change(text):
            if not uses.is_kept(asked.key, text):
                _keep(uses, asked, text)
        elif uses.is_new(asked.key, text):
            _note(uses, asked, text)

    def failed_query(self, uses: DataUses, args: Any, kwargs: Any, error: Any) -> None:
        """Forget a transaction's writes: any error aborts it."""
        asked, args = self._asked_by(args, kwargs)
        if turn_of(_text_of(args, kwargs)):
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


def _turn(uses: DataUses, asked: _Asked, turn: str | None) -> None:
    """Begin or end a transaction; kept writes count if it commits."""
    if turn == "begin":
        uses.begin_transaction(asked.key)
    elif turn:
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
