"""Databases that tasks reach by sqlite3 and SQLAlchemy: each statement that they run is noted."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit
from weakref import WeakKeyDictionary

from lineagegraph.dataframes.described import DescribedData
from lineagegraph.dataframes.open_transaction import OpenTransaction
from lineagegraph.dataframes.statement_effect import SqlSource, SqlView
from lineagegraph.dataframes.uses import current_uses
from lineagegraph.spark.dataset_names import DatasetName, name_jdbc_target

#: sqlglot's dialect and JDBC's name, by SQLAlchemy's; others have their own name everywhere
_KINDS = {
    "postgresql": ("postgres", "postgresql"),
    "cockroachdb": ("postgres", "cockroachdb"),
    "mssql": ("tsql", "sqlserver"),
}
_MARIADB = ("mysql", "mariadb")
_COLUMNS = "SELECT name, type FROM pragma_table_info(?)"
_VIEWS = "SELECT name, sql FROM sqlite_master WHERE type = 'view' AND name = ? COLLATE NOCASE"
#: begins the names of SQLite's own tables
_INTERNAL = "sqlite_"
#: position of the class of connections among the arguments of `connect`
_FACTORY = 5
#: transactions that Python begins itself, the value of `Connection.autocommit` since Python 3.12
_LEGACY = -1
#: those that undo what is not committed; elsewhere a rollback does nothing
_TRANSACTIONS = (
    *("postgresql", "cockroachdb", "redshift", "mysql", "mariadb", "mssql", "oracle"),
    *("snowflake", "db2", "hana", "firebird"),
)
#: followed in other ways
_LOCAL = ("sqlite", "duckdb")


@dataclass(frozen=True)
class SqliteFile:
    """A database in a file."""

    path: str
    dialect: str = "sqlite"

    def find(self, source: SqlSource) -> list[DescribedData]:
        """Return the table, if the file has it now."""
        name = self._name_of(source)
        if name is None:
            return []
        rows = self._ask(_COLUMNS, name)
        return [DescribedData(DatasetName(f"sqlite:{self.path}", name), dict(rows))] if rows else []

    def view(self, source: SqlSource) -> SqlView | None:
        """Return the view of the file."""
        name = self._name_of(source)
        found = self._ask(_VIEWS, name) if name else []
        return SqlView(found[0][:1], found[0][1]) if found else None

    def _name_of(self, source: SqlSource) -> str | None:
        """Return the name of what may be in the file; other schemas are other files."""
        *schema, name = source.table or ("",)
        is_own = [one.lower() for one in schema] in ([], ["main"])
        return name if name and is_own and not name.lower().startswith(_INTERNAL) else None

    def _ask(self, query: str, name: str) -> list[tuple[Any, ...]]:
        try:
            with closing(sqlite3.connect(f"{Path(self.path).as_uri()}?mode=ro", uri=True)) as file:
                return file.execute(query, (name,)).fetchall()
        except sqlite3.Error:
            return []


@dataclass(frozen=True)
class DatabaseServer:
    """A database that SQLAlchemy reaches by a network."""

    dialect: str
    url: str  # as JDBC has it, without a user

    def find(self, source: SqlSource) -> list[DescribedData]:
        """Return the table; its columns are not asked for."""
        if not source.table:
            return []
        return [DescribedData(name_jdbc_target(self.url, ".".join(source.table)), {})]

    def view(self, source: SqlSource) -> None:
        """Return None: the server is not asked."""


def follow_sqlite(sqlite: ModuleType) -> None:
    """Note the statements of each connection that is made from now on."""
    own = sqlite.connect

    @wraps(own)
    def connect(*args: Any, **kwargs: Any) -> Any:
        # A class of the task's own stays as it is.
        is_plain = len(args) <= _FACTORY and "factory" not in kwargs
        connection = own(*args, **kwargs | ({"factory": _Connection} if is_plain else {}))
        address = args[0] if args else kwargs.get("database")
        if path := _file_of(address):
            followed = OpenTransaction(SqliteFile(path))
            if is_plain:
                connection.followed = followed
            else:
                _trace(connection, followed)
        return connection

    for module in (sqlite, sqlite3):
        setattr(module, "connect", connect)  # noqa: B010


class _Connection(sqlite3.Connection):
    """A connection whose cursors note each statement after it succeeded."""

    followed: OpenTransaction | None = None

    def cursor(self, *args: Any, **kwargs: Any) -> Any:
        if not (args or kwargs):
            return super().cursor(_Cursor)
        if self.followed:
            _trace(self, self.followed)
        return super().cursor(*args, **kwargs)

    # The shortcuts make a cursor of their own, without the method above.
    def execute(self, *args: Any) -> Any:
        return self.cursor().execute(*args)

    def executemany(self, *args: Any) -> Any:
        return self.cursor().executemany(*args)

    def executescript(self, *args: Any) -> Any:
        return self.cursor().executescript(*args)

    def commit(self) -> None:
        super().commit()
        self.note_end("commit")

    def rollback(self) -> None:
        super().rollback()
        self.note_end("rollback")

    def __exit__(self, *error: Any) -> Any:
        is_kept = error[0] is None
        try:
            result = super().__exit__(*error)
        except BaseException:
            self.note_end("rollback")
            raise
        self.note_end("commit" if is_kept else "rollback")
        return result

    def note_end(self, turn: str) -> None:
        """Take note of the end of a transaction."""
        if self.followed:
            self.followed.end(turn)

    def note(self, text: str, *, was_open: bool | None = None) -> None:
        """Take note of a text that succeeded: a statement, or a script with what was before it."""
        if not self.followed or self.followed.is_idle():
            return
        is_open = self.in_transaction
        self.followed.take(text, is_open=is_open if was_open is None else was_open)
        if not is_open:
            self.followed.end("commit")

    def note_failure(self) -> None:
        """Take note of a statement that failed; it may have ended the transaction."""
        if not self.in_transaction:
            self.note_end("rollback")


class _Cursor(sqlite3.Cursor):
    connection: _Connection

    def execute(self, *args: Any) -> Any:
        return self._noted(super().execute, args)

    def executemany(self, *args: Any) -> Any:
        return self._noted(super().executemany, args)

    def executescript(self, *args: Any) -> Any:
        if getattr(self.connection, "autocommit", _LEGACY) == _LEGACY:
            self.connection.commit()  # as it does itself
        was_open = self.connection.in_transaction
        return self._noted(super().executescript, args, was_open=was_open)

    def _noted(
        self, run: Callable[..., Any], args: tuple[Any, ...], *, was_open: bool | None = None
    ) -> Any:
        try:
            result = run(*args)
        except Exception:
            self.connection.note_failure()
            raise
        self.connection.note(args[0], was_open=was_open)
        return result


def _trace(connection: sqlite3.Connection, followed: OpenTransaction) -> None:
    """Note the statements of cursors of a task's own class; failed ones are among them."""
    with suppress(AttributeError):  # of a function's own kind of connection
        connection.set_trace_callback(followed.take)


def _file_of(address: Any) -> str | None:
    text = os.fsdecode(address)
    if text.startswith("file:"):
        text = unquote(urlsplit(text).path)
    return str(Path(text).absolute()) if text and ":memory:" not in text else None


def follow_sqlalchemy(sqlalchemy: ModuleType) -> None:
    """Note the statements of all engines."""
    open_: WeakKeyDictionary[Any, OpenTransaction] = WeakKeyDictionary()

    def execute(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if connection not in open_:
            server = _server_of(connection.engine.url) if current_uses() else None
            if server is None:
                return
            open_[connection] = OpenTransaction(server)
        # Else only what the statements themselves begin is a transaction.
        is_open = None if _commits_each(connection) else True
        open_[connection].take(statement, is_open=is_open)

    def end(turn: str, connection: Any, *rest: Any) -> None:
        if connection in open_:
            open_.pop(connection).end(turn)

    listen = partial(sqlalchemy.event.listen, sqlalchemy.engine.Engine)
    listen("after_cursor_execute", execute)
    for turn in ("commit", "rollback"):
        listen(turn, lambda connection, turn=turn: end(turn, connection))
        listen(
            f"{turn}_twophase",
            lambda connection, xid, is_prepared, turn=turn: end(turn, connection),
        )


def _commits_each(connection: Any) -> bool:
    """Return whether each statement of a connection is a transaction."""
    if connection.engine.url.get_backend_name() not in _TRANSACTIONS:
        return True
    level = connection.get_execution_options().get("isolation_level")
    if level is None:
        level = getattr(connection.dialect, "_on_connect_isolation_level", None)
    return bool(level == "AUTOCOMMIT")


def _server_of(url: Any) -> DatabaseServer | None:
    name = url.get_backend_name()
    if name in _LOCAL:
        return None
    dialect, kind = _KINDS.get(name, _MARIADB if name == "mariadb" else (name, name))
    host = url.host or "localhost"  # reached by a socket
    server = f"{host}:{url.port}" if url.port else host
    database = url.database or ""
    if kind == "sqlserver":
        return DatabaseServer(dialect, f"jdbc:{kind}://{server};databaseName={database}")
    return DatabaseServer(dialect, f"jdbc:{kind}://{server}/{database}")
