"""Delta tables at `SCHEMA/TABLE` in a folder or an object store, without a metastore for names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from lineagegraph.errors import TableRefused
from lineagegraph.spark.gateway import is_connect
from lineagegraph.spark.jvm import java_class
from lineagegraph.spark.tables.hidden import hidden
from lineagegraph.spark.tables.place import SESSION_CATALOG, TableName, is_url

_LOG = "_delta_log"


@dataclass(frozen=True)
class DeltaFolder:
    """A table of Delta by its location."""

    schema: str
    table: str
    location: str

    @classmethod
    def of(cls, folder: str, table: str) -> "DeltaFolder":
        """Return the table of a name in a folder."""
        name = TableName.of(table)
        base = folder.rstrip("/") if is_url(folder) else str(Path(folder).absolute())
        return cls(name.schema, name.table, f"{base}/{name.schema}/{name.table}")

    @property
    def name(self) -> str:
        """The table's name, with its schema's."""
        return f"{self.schema}.{self.table}"

    def exists(self, session: Any) -> bool:
        """Return whether there is a table at the location."""
        return bool(list(_logs(session, self.location)))

    def refuse_links(self) -> None:
        """Raise `TableRefused` if the location is a link to a version of a table of files."""
        if not is_url(self.location) and Path(self.location).is_symlink():
            raise TableRefused(
                f"table {self.name}: {self.location} was published without Delta: remove it first"
            )

    def register(self, session: Any) -> None:
        """Let the session's catalog have the table, which it forgets with the session."""
        if session.catalog.tableExists(self.name):
            return
        with hidden(session):
            SparkSession.sql(session, f"CREATE DATABASE IF NOT EXISTS `{self.schema}`")
            location = self.location.replace("'", "\\'")
            SparkSession.sql(
                session,
                f"CREATE TABLE IF NOT EXISTS `{self.schema}`.`{self.table}` USING delta"
                f" LOCATION '{location}'",
            )


def keeps_delta_folders(session: Any) -> bool:
    """Return whether a session has Delta's catalog without a metastore that keeps the names."""
    conf = session.conf
    return (
        not is_connect(session)
        and ".delta." in (conf.get(f"spark.sql.catalog.{SESSION_CATALOG}", None) or "")
        and conf.get("spark.sql.catalogImplementation", "in-memory") != "hive"
        and conf.get("spark.sql.defaultCatalog", SESSION_CATALOG) == SESSION_CATALOG
    )


def delta_folders(session: Any, folder: str) -> Iterator[DeltaFolder]:
    """Yield the tables that a folder or an object store has."""
    for log in _logs(session, f"{folder.rstrip('/')}/*/*"):
        schema, table = re.split(r"[/\\]", log)[-3:-1]
        yield DeltaFolder.of(folder, f"{schema}.{table}")


def _logs(session: Any, pattern: str) -> list[str]:
    """Return the folders with the logs of the tables that a pattern matches."""
    path = java_class("org.apache.hadoop.fs.Path", session._jsparkSession)(f"{pattern}/{_LOG}")
    hadoop = session._jsparkSession.sessionState().newHadoopConf()
    found = path.getFileSystem(hadoop).globStatus(path)
    return [str(each.getPath().toString()) for each in found or ()]
