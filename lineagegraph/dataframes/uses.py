"""The datasets that a task reads and writes, as OpenLineage names and describes them."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from lineagegraph.dataframes.described import ColumnOrigin, Columns, Origins
from lineagegraph.dataframes.statement_effect import (
    SqlDatabase,
    StatementEffect,
    may_change,
    without_values,
)
from lineagegraph.model.holding import holding
from lineagegraph.spark.dataset_names import DatasetName
from lineagegraph.spark.facets import Facet, make_facet, make_subset

Dataset = dict[str, Any]
_MOST = 200
_MOST_SEEN = 2_000

_current: ContextVar["DataUses | None"] = ContextVar("lineagegraph_data", default=None)


@dataclass(slots=True)
class _Use:
    """What was learned about one dataset."""

    name: DatasetName
    columns: dict[str, str] = field(default_factory=dict)
    #: rows of its only use
    rows: int | None = None
    #: the partitions that were used; one is empty if the whole dataset was
    partitions: list[dict[str, Any]] = field(default_factory=list)
    origins: dict[str, list[ColumnOrigin]] = field(default_factory=dict)

    def add(self, name: DatasetName, columns: Columns, rows: int | None) -> None:
        self.rows = None if self.partitions else rows
        self.columns |= columns
        if (partition := name.dimensions) not in self.partitions:
            self.partitions.append(partition)


class DataUses:
    """The datasets that a task read and wrote; `is_apart` tells files that are not its data."""

    def __init__(self, is_apart: Callable[[str], bool]) -> None:
        self._is_apart = is_apart
        self._read: dict[tuple[str, str], _Use] = {}
        self._written: dict[tuple[str, str], _Use] = {}
        # Those that may write, and others: many queries leave room for what is written.
        self._statements: dict[bool, dict[tuple[SqlDatabase, str], None]] = {True: {}, False: {}}
        self._seen = WeakKeyDictionary[object, set[str]]()
        self._uncommitted = WeakKeyDictionary[object, dict[str, list[StatementEffect]]]()
        self._in_transaction = WeakSet[object]()

    def receiving(self) -> AbstractContextManager[None]:
        """Receive the uses of this thread, and of contexts copied from it."""
        return holding(_current, self)

    def read(self, name: DatasetName, columns: Columns, rows: int | None = None) -> None:
        """Add a dataset that was read."""
        self._add(self._read, name, columns, rows)

    def write(
        self,
        name: DatasetName,
        columns: Columns,
        rows: int | None = None,
        origins: Origins | None = None,
    ) -> None:
        """Add a dataset that was written."""
        if use := self._add(self._written, name, columns, rows):
            use.origins |= origins or {}

    def run_statement(self, database: SqlDatabase, text: str) -> None:
        """Add an SQL statement that a database ran; it is read at the end of the task."""
        statements = self._statements[may_change(text)]
        if len(statements) < _MOST:
            statements[database, without_values(text)] = None

    def is_new(self, connection: object, text: str) -> bool:
        """Return whether a connection has not run this text yet, as in a loop."""
        seen = self._seen.setdefault(connection, set())
        if is_new := text not in seen and len(seen) < _MOST_SEEN:
            seen.add(text)
        return is_new

    def begin_transaction(self, connection: object) -> None:
        """Note that writes of a connection count from now on only once it commits."""
        self.end_transaction(connection)
        self._in_transaction.add(connection)

    def abort_transaction(self, connection: object) -> None:
        """Forget the kept statements of a connection; one in a transaction stays in it."""
        self._uncommitted.pop(connection, None)

    def is_in_transaction(self, connection: object) -> bool:
        """Return whether a connection has begun a transaction."""
        return connection in self._in_transaction

    def keep_uncommitted(
        self, connection: object, text: str, effects: Sequence[StatementEffect] = ()
    ) -> None:
        """Keep a statement, with its effects if these can be seen, until its transaction ends."""
        self._uncommitted.setdefault(connection, {}).setdefault(text, []).extend(effects)

    def is_kept(self, connection: object, text: str) -> bool:
        """Return whether a statement is kept already, as in a loop, or too many are."""
        kept = self._uncommitted.get(connection, {})
        return text in kept or len(kept) >= _MOST_SEEN

    def end_transaction(self, connection: object) -> dict[str, list[StatementEffect]]:
        """Return the kept statements of a connection with their effects."""
        self._in_transaction.discard(connection)
        return self._uncommitted.pop(connection, {})

    def add_effect(self, effect: StatementEffect) -> None:
        """Add what a statement read and wrote."""
        for name, columns in effect.reads:
            self.read(name, columns)
        if effect.writes:
            self.write(*effect.writes, origins=effect.origins)

    def inputs(self) -> list[Dataset]:
        """Return the inputs as an event has them."""
        self._read_statements()
        return [_used(use, "Input") for use in self._read.values()]

    def outputs(self) -> list[Dataset]:
        """Return the outputs as an event has them."""
        self._read_statements()
        return [_used(use, "Output") for use in self._written.values()]

    def _read_statements(self) -> None:
        statements = [one for noted in self._statements.values() for one in noted]
        if not statements:
            return
        from lineagegraph.dataframes.statements import effects  # slow to import

        self._statements = {True: {}, False: {}}
        for database, text in statements:
            # What is noted must not fail what was done.
            with suppress(Exception):
                for effect in effects(text, database):
                    self.add_effect(effect)

    def _add(
        self,
        uses: dict[tuple[str, str], _Use],
        name: DatasetName,
        columns: Columns,
        rows: int | None,
    ) -> _Use | None:
        key = (name.namespace, name.name)
        if name.namespace == "file" and self._is_apart(name.name):
            return None
        if key not in uses and len(uses) >= _MOST:
            return None
        use = uses.setdefault(key, _Use(name))
        use.add(name, columns, rows)
        return use


def current_uses() -> DataUses | None:
    """Return the uses of the task that runs in this context, if any."""
    return _current.get()


def noting_nothing() -> AbstractContextManager[None]:
    """Note no uses in this context."""
    return holding(_current, None)


def _used(use: _Use, direction: str) -> Dataset:
    """Return an `Input` or `Output` as an event has it."""
    kind, facets = direction.lower(), dict[str, Facet]()
    if use.rows is not None:
        schema = f"{direction}Statistics{direction}DatasetFacet"
        facets[f"{kind}Statistics"] = make_facet(schema, rowCount=use.rows)
    if all(use.partitions):
        facets["subset"] = make_subset(direction, use.partitions)
    return _dataset(use) | {f"{kind}Facets": facets}


def _fields(origins: list[ColumnOrigin]) -> list[Facet]:
    return [
        {
            "namespace": one.dataset.namespace,
            "name": one.dataset.name,
            "field": one.column,
            "transformations": [{"type": "DIRECT", "subtype": one.subtype}],
        }
        for one in origins
    ]


def _dataset(use: _Use) -> Dataset:
    facets: dict[str, Facet] = {}
    if use.columns:
        fields = [
            {"name": name, "type": type_} if type_ else {"name": name}
            for name, type_ in use.columns.items()
        ]
        facets["schema"] = make_facet("SchemaDatasetFacet", fields=fields)
    if use.name.version:
        facets["version"] = make_facet(
            "DatasetVersionDatasetFacet", datasetVersion=use.name.version
        )
    if use.origins:
        lineage = {column: {"inputFields": _fields(found)} for column, found in use.origins.items()}
        facets["columnLineage"] = make_facet("ColumnLineageDatasetFacet", fields=lineage)
    return {"namespace": use.name.namespace, "name": use.name.name, "facets": facets}
