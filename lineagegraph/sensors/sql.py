"""Queries to databases through SQLAlchemy. They only read: changes are refused or rolled back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.sensors.connection import Connection
from lineagegraph.sensors.queries import check_reads
from lineagegraph.sensors.roots import Roots
from lineagegraph.sensors.texts import one_line

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine, Executable

_MEMORY = (None, "", ":memory:")


class Engines:
    """One engine for each database and user; no connection stays open between pokes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._engines: dict[str, Engine] = {}

    def first_value(
        self,
        connection: Connection,
        query: str | Executable,
        parameters: Mapping[str, Any],
        roots: Roots,
    ) -> Any:
        """Return the first value of the first row, None without rows."""
        import sqlalchemy

        if isinstance(query, str):
            check_reads(query)
            query = sqlalchemy.text(query)
        url = _readable(database_url(connection), roots)
        try:
            with self._engine(url, connection.options).connect() as session:
                found = session.execute(query, dict(parameters))
                if not found.returns_rows:
                    raise PokeFailed("the query returns no rows: it must be a SELECT")
                row = found.first()
        except sqlalchemy.exc.DBAPIError as error:
            cause = error.orig or error
            raise PokeFailed(f"{type(cause).__name__}: {one_line(cause)}") from None
        return row[0] if row else None

    def _engine(self, url: URL, options: Mapping[str, Any]) -> Engine:
        from sqlalchemy import create_engine
        from sqlalchemy.pool import NullPool

        key = url.render_as_string(hide_password=False) + canonical_json(options)
        with self._lock:
            if key not in self._engines:
                self._engines[key] = create_engine(
                    url,
                    poolclass=NullPool,
                    connect_args=dict(options),
                    execution_options={"postgresql_readonly": True},
                )
            return self._engines[key]


def database_url(connection: Connection) -> URL:
    """Return the URL of a database with its user; raise `InvalidSensor` if it is invalid."""
    try:
        from sqlalchemy.engine import make_url
        from sqlalchemy.exc import ArgumentError
    except ImportError:
        raise InvalidSensor(
            "sensors of kind sql need SQLAlchemy: pip install 'lineagegraph[sql]', and the driver "
            "of the database"
        ) from None
    try:
        url = make_url(connection.url or "")
    except ArgumentError:
        raise InvalidSensor("write the URL of a database as postgresql+psycopg://host/db") from None
    if connection.user is not None:
        url = url.set(username=connection.user)
    return url if connection.password is None else url.set(password=connection.password)


def check_file(url: URL, roots: Roots) -> Path | None:
    """Return the file of a database, None for others; raise if it is outside of the roots.

    SQLite would create a missing file, so the caller must check first.
    """
    if url.get_backend_name() != "sqlite" or url.database in _MEMORY:
        return None
    file = Path(url.database or "")
    if not file.is_absolute():
        raise InvalidSensor(
            f"database {file}: use an absolute path such as sqlite:////data/state.db"
        )
    roots.check(str(file))
    return file


def _readable(url: URL, roots: Roots) -> URL:
    """Return the URL that opens a database; one that is a file is opened to be read."""
    file = check_file(url, roots)
    if file is None:
        return url
    if not file.exists():
        raise PokeFailed(f"there is no database {file}")
    read_only = url.set(database=f"file:{quote(str(file))}")
    return read_only.update_query_dict({"mode": "ro", "uri": "true"})
