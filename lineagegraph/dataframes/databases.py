"""Databases that tasks reach by sqlite3 and SQLAlchemy: each statement that they run is noted."""

import os
import sqlite3
from contextlib import closing
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
        connection = own(*args, **kwargs)
        address = args[0] if args else kwargs.get("database")
        if path := _file_of(address):
            database = SqliteFile(path)
            connection.set_trace_callback(lambda text: _note(database, text))
        return connection

    for module in (sqlite, sqlite3):
        setattr(module, "connect", connect)  # noqa: B010


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
