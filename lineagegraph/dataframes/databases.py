"""Databases that tasks reach by sqlite3 and SQLAlchemy: each statement that they run is noted."""

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

from lineagegraph.dataframes.described import DescribedData
from lineagegraph.dataframes.statement_effect import SqlSource
from lineagegraph.dataframes.uses import current_uses
from lineagegraph.spark.dataset_names import DatasetName, name_jdbc_target

#: sqlglot's dialect and JDBC's name, by SQLAlchemy's; others have their own name everywhere
_KINDS = {"postgresql": ("postgres", "postgresql"), "mssql": ("tsql", "sqlserver")}
_MARIADB = ("mysql", "mariadb")
_COLUMNS = "SELECT name, type FROM pragma_table_info(?)"
#: position of the class of connections among the arguments of `connect`
_FACTORY = 5
#: followed in other ways
_LOCAL = ("sqlite", "duckdb")


@dataclass(frozen=True)
class SqliteFile:
    """A database in a file."""

    path: str
    dialect: str = "sqlite"

    def find(self, source: SqlSource) -> list[DescribedData]:
        """Return the table, if the file has it now."""
        *schema, name = source.table or ("",)
        if not name or schema not in ([], ["main"]):
            return []
        try:
            with closing(sqlite3.connect(f"{Path(self.path).as_uri()}?mode=ro", uri=True)) as file:
                rows = file.execute(
                    "SELECT name, type FROM pragma_table_info(?)", (name,)
                ).fetchall()
        except sqlite3.Error:
            return []
        return [DescribedData(DatasetName(f"sqlite:{self.path}", name), dict(rows))] if rows else []


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
            if is_plain:
                connection.followed = SqliteFile(path)
            else:
                _trace(connection, SqliteFile(path))
        return connection

    for module in (sqlite, sqlite3):
        setattr(module, "connect", connect)  # noqa: B010


class _Connection(sqlite3.Connection):
    """A connection whose cursors note each statement after it succeeded."""

    followed: SqliteFile | None = None

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


class _Cursor(sqlite3.Cursor):
    def execute(self, *args: Any) -> Any:
        return self._noted(super().execute(*args), args)

    def executemany(self, *args: Any) -> Any:
        return self._noted(super().executemany(*args), args)

    def executescript(self, *args: Any) -> Any:
        return self._noted(super().executescript(*args), args)

    def _noted(self, result: Any, args: tuple[Any, ...]) -> Any:
        database = getattr(self.connection, "followed", None)
        if database:
            _note(database, args[0])
        return result


def _trace(connection: sqlite3.Connection, database: SqliteFile) -> None:
    """Note the statements of cursors of a task's own class; failed ones are among them."""
    with suppress(AttributeError):  # of a function's own kind of connection
        connection.set_trace_callback(lambda text: _note(database, text))


def _file_of(address: Any) -> str | None:
    text = os.fsdecode(address)
    if text.startswith("file:"):
        text = unquote(urlsplit(text).path)
    return str(Path(text).absolute()) if text and ":memory:" not in text else None


def _note(database: SqliteFile | DatabaseServer, text: str) -> None:
    if uses := current_uses():
        uses.run_statement(database, text)


def follow_sqlalchemy(sqlalchemy: ModuleType) -> None:
    """Note the statements of all engines."""
    sqlalchemy.event.listen(sqlalchemy.engine.Engine, "after_cursor_execute", _on_execute)


def _on_execute(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
    if current_uses() and (server := _server_of(connection.engine.url)):
        _note(server, statement)


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
