"""Partitions of tables, as folders or as a metastore knows them."""

import re
from typing import ClassVar, Self

from msgspec.structs import replace

from lineagegraph.errors import InvalidSensor
from lineagegraph.sensors.context import PokeContext
from lineagegraph.sensors.filesystems import Files, open_files
from lineagegraph.sensors.hive import Spec, checked_spec, names_of
from lineagegraph.sensors.http.addresses import is_http
from lineagegraph.sensors.metastore import partition_query
from lineagegraph.sensors.paths import checked_path, host_of
from lineagegraph.sensors.policy import SensorPolicy
from lineagegraph.sensors.roots import is_url
from lineagegraph.sensors.sensor import Sensor
from lineagegraph.settings import Settings, load_settings

_TABLE = re.compile(r"(?:(\w+)\.)?(\w+)")
_DEFAULT_SCHEMA = "default"
_HIDDEN = ("_", ".")


class PartitionSensor(Sensor, frozen=True, kw_only=True, omit_defaults=True):
    """A partition of a table is there: a folder such as `day=2026-01-01/hour=3` with data in it.

    The table is at a path, or one of the installation's tables, or one of a Hive metastore, whose
    database is asked through a connection. With a `marker` its folder has a file of that name.
    """

    kind: ClassVar[str] = "partition"
    blocking: ClassVar[bool] = True

    partition: Spec
    path: str | None = None
    table: str | None = None
    marker: str | None = None
    connection: str | None = None
    metastore: str | None = None

    def checked(self) -> Self:
        """Return it in its one spelling."""
        if (self.path is None) == (self.table is None):
            raise InvalidSensor("a sensor of kind partition needs either a path or a table")
        if self.metastore and (self.path or self.marker or self.connection):
            raise InvalidSensor(
                "metastore goes with a table only: leave out path, marker and connection"
            )
        if self.marker is not None and (not self.marker or "/" in self.marker):
            raise InvalidSensor(f"marker {self.marker!r} is not a file name")
        spec = checked_spec(self.partition)
        if self.path is not None:
            return replace(self, partition=spec, path=_checked_path(self.path))
        return replace(self, partition=spec, table=".".join(_table(self.table or "")))

    def permit(self, policy: SensorPolicy) -> None:
        """Raise `InvalidSensor` for a path that is not permitted."""
        if self.path is not None:
            policy.check_path(self.path)
        elif policy.confined and not self.metastore:
            policy.check_path(_folder(load_settings(), self.table or ""))

    def host(self) -> str | None:
        """Return the server, the bucket, the top of the folders or the metastore."""
        if self.metastore:
            return f"connection {self.metastore}"
        return host_of(self.path) if self.path else None

    def look(self, context: PokeContext) -> bool:
        """Return whether the partition exists."""
        names = names_of(self.partition)
        if self.metastore:
            return self._is_known(context, self.metastore, names)
        where = self.path or _folder(context.settings, self.table or "")
        context.policy.check_address(where)
        files, path = open_files(where, context.storage_options(self.connection), context.policy)
        return any(self._has_data(files, f"{path}/{name}", context) for name in names)

    def _is_known(self, context: PokeContext, metastore: str, names: list[str]) -> bool:
        schema, table = _table(self.table or "")
        query = partition_query(schema, table, names)
        connection = context.connections.find(metastore)
        seconds = context.limit(self.limit())
        return bool(context.engines.first_value(connection, query, {}, context.policy, seconds))

    def _has_data(self, files: Files, folder: str, context: PokeContext) -> bool:
        if self.path and not is_url(self.path):
            context.policy.roots.check(folder)
        if self.marker:
            return files.find(f"{folder}/{self.marker}") is not None
        names = (entry.path.rstrip("/").rpartition("/")[2] for entry in files.inside(folder))
        return any(not name.startswith(_HIDDEN) for name in names)

    def __str__(self) -> str:
        said = self.partition if isinstance(self.partition, str) else names_of(self.partition)[0]
        return f"partition {self.path or self.table}/{said}"


def _checked_path(path: str) -> str:
    if is_http(path):
        raise InvalidSensor(f"path {path}: HTTP has no folders: use a sensor of kind http")
    return checked_path(path)


def _table(name: str) -> tuple[str, str]:
    found = _TABLE.fullmatch(name.lower())
    if not found:
        raise InvalidSensor(f"table {name!r}: name it TABLE or SCHEMA.TABLE")
    return found[1] or _DEFAULT_SCHEMA, found[2]


def _folder(settings: Settings, table: str) -> str:
    """Return the folder of a table in the installation."""
    folder = (settings.tables or str(settings.home / "tables")).removeprefix("file://")
    schema, name = _table(table)
    return f"{folder.rstrip('/')}/{schema}/{name}"
