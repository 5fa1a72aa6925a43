"""Queries to databases through SQLAlchemy. They only read: changes are refused or rolled back."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.sensors.connection import Connection
from lineagegraph.sensors.policy import SensorPolicy
from lineagegraph.sensors.queries import check_reads
from lineagegraph.sensors.roots import Roots
from lineagegraph.sensors.texts import one_line
from lineagegraph.sensors.threads import is_abandoned

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine, Executable
    from sqlalchemy import Connection as SqlConnection

_HOSTS = re.compile(r"[\w.:,-]+")  # neither a folder of sockets nor a name of a driver's own
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
        policy: SensorPolicy,
        seconds: float,
    ) -> Any:
        """Return the first value of the first row, None without rows.

        A query that takes longer, or whose caller has gone, is ended in the database.
        """
        import sqlalchemy

        if isinstance(query, str):
            check_reads(query)
            query = sqlalchemy.text(query)
        url = _readable(_pinned(database_url(connection), connection, policy), policy)
        try:
            with self._engine(url, connection.options).connect() as session:
                _limit(session, seconds)
                found = session.execute(query, dict(parameters))
                if not found.returns_rows:
                    raise PokeFailed("the query returns no rows: it must be a SELECT")
                row = found.first()
        except sqlalchemy.exc.DBAPIError as error:
            cause = error.orig or error
            raise PokeFailed(_describe(cause, policy)) from None
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


_STEPS = 10_000
"""Instructions of SQLite's machine between two questions, about a tenth of a millisecond."""
_LIMITS = {
    "postgresql": "SET LOCAL statement_timeout = {milliseconds}",
    "mysql": "SET SESSION max_execution_time = {milliseconds}",
    "mariadb": "SET SESSION max_statement_time = {seconds}",
}


def _limit(session: SqlConnection, seconds: float) -> None:
    """Let the database itself end a long query: the thread that waits for it cannot be ended."""
    import sqlalchemy

    name = "mariadb" if getattr(session.dialect, "is_mariadb", False) else session.dialect.name
    if name == "sqlite":
        driver: Any = session.connection.driver_connection
        driver.set_progress_handler(is_abandoned, _STEPS)
    elif name in _LIMITS:
        milliseconds = math.ceil(seconds * 1000)
        said = _LIMITS[name].format(milliseconds=milliseconds, seconds=milliseconds / 1000)
        session.execute(sqlalchemy.text(said))


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


def check_database(url: URL, policy: SensorPolicy) -> Path | None:
    """Return the file of a database as `check_file` does; for others also check the server.

    Raises `InvalidSensor` if a confined policy does not permit the server.
    """
    file = check_file(url, policy.roots)
    if policy.confined and file is None:
        hosts = url.host or ""
        if not _HOSTS.fullmatch(hosts):
            raise InvalidSensor(
                f"a database of {url.get_backend_name()} without a server may not be asked over "
                "HTTP: give a server that setting sensor_http_allow names, or an SQLite file "
                "below setting sensor_roots"
            )
        for host in hosts.split(","):
            policy.hosts.check_name(host)
    return file


def _pinned(url: URL, connection: Connection, policy: SensorPolicy) -> URL:
    """Return the URL with a checked address for its host, so that the driver asks no other.

    A connection is the operator's: its host stays, because certificates may need the name.
    """
    if not policy.confined or check_database(url, policy) is not None:
        return url
    found = [policy.check_host(host)[0] for host in (url.host or "").split(",")]
    is_stated = connection == Connection(url=connection.url) and not url.query and not url.password
    return url.set(host=str(found[0])) if is_stated else url


def _describe(cause: BaseException, policy: SensorPolicy) -> str:
    """Return an error of a driver; it may quote values, which a token has no right to see."""
    name = type(cause).__name__
    if policy.confined:
        return f"{name}: the database refused the query, or did not answer"
    return f"{name}: {one_line(cause)}"


def _readable(url: URL, policy: SensorPolicy) -> URL:
    """Return the URL that opens a database; one that is a file is opened to be read."""
    file = check_database(url, policy)
    if file is None:
        return url
    if not file.exists():
        raise PokeFailed(f"there is no database {file}")
    read_only = url.set(database=f"file:{quote(str(file))}")
    return read_only.update_query_dict({"mode": "ro", "uri": "true"})
