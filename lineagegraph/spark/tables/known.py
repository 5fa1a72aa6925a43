"""A session that finds published tables by name, in the version that counts by then."""

import json
from pathlib import Path
from threading import RLock
from typing import Any

from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql.types import StructType

from lineagegraph.spark.tables.delta_folder import delta_folders, keeps_delta_folders
from lineagegraph.spark.tables.hidden import hidden
from lineagegraph.spark.tables.place import (
    TableFolder,
    TableName,
    has_catalog,
    places_in,
    read_about,
    tables_folder,
)

_lock = RLock()


class KnowingSession(SparkSession):
    """A session that resolves published tables of a statement before Spark does."""

    def sql(self, sqlQuery: str, *args: Any, **kwargs: Any) -> DataFrame:  # noqa: N803
        """Run a statement."""
        know_tables(self, sqlQuery)
        return super().sql(sqlQuery, *args, **kwargs)

    def table(self, tableName: str) -> DataFrame:  # noqa: N803
        """Return a table."""
        know_tables(self, tableName)
        return super().table(tableName)

    @property
    def read(self) -> DataFrameReader:
        """Return a reader."""
        return _KnowingReader(self)


class _KnowingReader(DataFrameReader):
    def table(self, tableName: str) -> DataFrame:  # noqa: N803
        """Return a table."""
        know_tables(self._spark, tableName)
        return super().table(tableName)


def let_know(session: SparkSession) -> None:
    """Let a session find tables by name, unless it has a catalog that keeps them."""
    if not has_catalog(session) or keeps_delta_folders(session):
        session.__class__ = KnowingSession


def know_tables(session: Any, text: str) -> None:
    """Let the session's catalog have the tables that a text names, as they are now."""
    if keeps_delta_folders(session):
        for table in delta_folders(session, tables_folder(session)):
            if TableName(table.schema, table.table).is_in(text):
                with _lock:
                    table.register(session)
        return
    for place in places_in(tables_folder(session)):
        if TableName(place.link.parent.name, place.link.name).is_in(text):
            with _lock, hidden(session):
                _know(session, place)


def _know(session: Any, place: TableFolder) -> None:
    version = place.link.resolve()
    about = read_about(version)
    now = (version, about.schema if about else None)
    remembered: dict[str, Any] = session.__dict__.setdefault("_lineagegraph_tables", {})
    before = remembered.get(place.name)
    if before == now:
        return
    if before is None and session.catalog.tableExists(place.name):
        return  # a table of the user's own
    if before is not None and before[1] == now[1]:
        SparkSession.sql(session, f"ALTER TABLE {place.name} SET LOCATION '{version.as_uri()}'")
    else:
        _register(session, place, *now)
    remembered[place.name] = now


def _register(session: Any, place: TableFolder, version: Path, schema: str | None) -> None:
    SparkSession.sql(session, f"CREATE DATABASE IF NOT EXISTS `{place.link.parent.name}`")
    SparkSession.sql(session, f"DROP TABLE IF EXISTS {place.name}")
    typed = StructType.fromJson(json.loads(schema)) if schema else None
    session.catalog.createTable(place.name, path=str(version), source="parquet", schema=typed)
