"""Tables of Spark's own catalog that commands create, drop and rename.

The events on Spark's bus say what happened, in the order of the commands. They come late: a
dropped table has no location any more. So the catalog itself tells, while a command waits for it,
what it is going to drop. It is only asked to once a session uses a table: Hive's takes seconds to
start.
"""

from dataclasses import dataclass, replace
from typing import Any

import structlog

from lineagegraph.spark.action import Table
from lineagegraph.spark.jvm import class_name, java_interface, option, sequence
from lineagegraph.spark.relations import table_at
from lineagegraph.spark.schema_fields import schema_fields

CATALOG_EVENTS = ("CreateTableEvent", "DropTableEvent", "RenameTableEvent", "DropDatabaseEvent")
_MOST = 1000

Key = tuple[str, str]
log = structlog.get_logger()


@dataclass(frozen=True)
class CatalogChange:
    """What became of a table; a table is None if its location could not be seen."""

    before: Table | None = None
    after: Table | None = None
    #: whether its rows are in a folder that others write too
    is_external: bool = False
    #: the tables of a dropped database
    tables: tuple[Table | None, ...] = ()
    #: how many changes there were before this one
    number: int = 0


class CatalogChanges:
    """The tables of a catalog that commands changed and that were not asked for yet."""

    Java = java_interface("org.apache.spark.sql.catalyst.catalog.ExternalCatalogEventListener")

    def __init__(self, context: Any) -> None:
        self._context = context
        self._watched: Any = None
        self._known: dict[Key, tuple[Table | None, bool]] = {}
        self._changes: dict[tuple[str, Key], CatalogChange] = {}
        self._emptied: set[str] = set()
        self.heard_so_far = 0

    def watch(self) -> None:
        """Let the catalog tell what it is going to change."""
        if self._watched is None:
            self._watched = self._catalog()
            self._watched.addListener(self)

    def onEvent(self, event: Any) -> None:  # noqa: N802
        """Remember a table that is going to be dropped or renamed; its user waits."""
        try:
            match class_name(event):
                case "DropTablePreEvent" | "RenameTablePreEvent":
                    self._look_up((event.database(), event.name()))
                case "DropDatabasePreEvent":
                    for table in sequence(self._catalog().listTables(event.database())):
                        self._look_up((event.database(), table))
                    self._emptied.add(event.database().lower())
        except Exception as error:
            log.debug("spark table not known", error=str(error))

    def heard(self, kind: str, event: Any) -> None:
        """Take note of what happened to a table, in the order of commands."""
        self.watch()
        if kind == "DropDatabaseEvent":
            self._note("drop database", _key(event.database(), ""), self._dropped(event.database()))
            return
        key = _key(event.database(), event.name())
        match kind:
            case "CreateTableEvent":
                self._look_up(key)
                self._changes.pop(("drop", key), None)
                table, is_external = self._known.get(key, (None, False))
                self._note("create", key, CatalogChange(None, table, is_external))
            case "DropTableEvent":
                self._note("drop", key, CatalogChange(self._forget(key)))
            case "RenameTableEvent":
                new = _key(event.database(), event.newName())
                self._look_up(new)
                after = self._known.get(new, (None, False))[0]
                self._note("rename", key, CatalogChange(self._forget(key), after))

    def take(self, kind: str, database: str, table: str, since: int) -> CatalogChange | None:
        """Return what a command did to a table, once; None if it did nothing.

        `since` is the number of changes before the command. Commands with rows, such as CREATE
        TABLE AS SELECT, take none.
        """
        change = self._changes.pop((kind, _key(database, table)), None)
        return change if change and change.number >= since else None

    def _note(self, kind: str, key: Key, change: CatalogChange) -> None:
        self._changes.pop((kind, key), None)
        self._changes[kind, key] = replace(change, number=self.heard_so_far)
        self.heard_so_far += 1
        if len(self._changes) > _MOST:
            del self._changes[next(iter(self._changes))]
        if len(self._known) > _MOST:
            del self._known[next(iter(self._known))]

    def _dropped(self, database: str) -> CatalogChange:
        name = database.lower()
        keys = [key for key in self._known if key[0] == name]
        tables = tuple(self._forget(key) for key in keys)
        is_seen = name in self._emptied
        self._emptied.discard(name)
        return CatalogChange(tables=tables if is_seen else (None,))

    def _forget(self, key: Key) -> Table | None:
        return self._known.pop(key, (None, False))[0]

    def _look_up(self, key: Key) -> None:
        # Not by the session's catalog: the command that waits has its lock.
        catalog = self._catalog()
        if catalog.tableExists(*key):
            table = catalog.getTable(*key)
            location = option(table.storage().locationUri())
            schema = schema_fields(table.schema().json())
            if table.tableType().name() == "VIEW":
                return
            found = location and table_at(None, table.identifier(), location, schema)
            self._known[_key(*key)] = found, table.tableType().name() == "EXTERNAL"

    def _catalog(self) -> Any:
        sessions = self._context._jvm.org.apache.spark.sql.SparkSession
        return sessions.getDefaultSession().get().sharedState().externalCatalog()


def _key(database: str, table: str) -> Key:
    return database.lower(), table.lower()
