"""Databases that have something by now."""

from datetime import date
from decimal import Decimal
from typing import Any, ClassVar, Self
from urllib.parse import urlsplit

import msgspec

from lineagegraph.errors import InvalidSensor
from lineagegraph.sensors.answer import PokeAnswer
from lineagegraph.sensors.connection import Connection
from lineagegraph.sensors.context import PokeContext
from lineagegraph.sensors.policy import SensorPolicy
from lineagegraph.sensors.queries import check_reads
from lineagegraph.sensors.sensor import Sensor
from lineagegraph.sensors.sql import check_database, database_url

_FALSE: tuple[object, ...] = (None, False, 0, "", "0", [], {}, ())


class SqlSensor(Sensor, frozen=True, kw_only=True, omit_defaults=True):
    """The first value of the first row that a query returns is not empty, false or zero.

    It is asked of a connection, or at a URL that needs no password. `parameters` are the values
    of names such as `:day` in the query. With `value` the first value is in the answer, under that
    name.
    """

    kind: ClassVar[str] = "sql"
    blocking: ClassVar[bool] = True

    query: str
    connection: str | None = None
    url: str | None = None
    parameters: dict[str, Any] = msgspec.field(default_factory=dict)
    value: str | None = None

    def checked(self) -> Self:
        """Raise `InvalidSensor` without a query or a database."""
        if not self.query.strip():
            raise InvalidSensor("a sensor of kind sql needs a query")
        if (self.connection is None) == (self.url is None):
            raise InvalidSensor("a sensor of kind sql needs either a connection or a url")
        check_reads(self.query)
        if self.url is not None and database_url(Connection(url=self.url)).query:
            raise InvalidSensor(
                "the url of a database must not have options: set driver options in a connection"
            )
        return self

    def permit(self, policy: SensorPolicy) -> None:
        """Raise `InvalidSensor` for a database that is a file outside of the roots."""
        if self.url is not None:
            check_database(database_url(Connection(url=self.url)), policy)

    def host(self) -> str:
        """Return the server, or the connection that has it."""
        return (
            urlsplit(self.url).netloc or self.url if self.url else f"connection {self.connection}"
        )

    def look(self, context: PokeContext) -> PokeAnswer:
        """Ask, and judge the answer."""
        connection = (
            context.connections.find(self.connection)
            if self.connection
            else Connection(url=self.url)
        )
        seconds = context.limit(self.limit())
        found = context.engines.first_value(
            connection, self.query, self.parameters, context.policy, seconds
        )
        if self.value is None or _is_false(found):
            return not _is_false(found)
        return {self.value: _plain(found)}

    def __str__(self) -> str:
        return f"sql {self.connection or self.url}: {' '.join(self.query.split())}"


def _is_false(found: Any) -> bool:
    # A bit of MySQL is a byte.
    is_bytes = isinstance(found, bytes | bytearray | memoryview)
    return not any(bytes(found)) if is_bytes else found in _FALSE


def _plain(found: Any) -> Any:
    """Return a value of a database as JSON has it."""
    match found:
        case date():  # a datetime is one too
            return found.isoformat()
        case Decimal():
            return int(found) if found == found.to_integral_value() else float(found)
        case str() | int() | float() | list() | dict():
            return found
    return str(found)
