"""From the parts of a plan to datasets, by the answers of the server and the session's views."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lineagegraph.spark.action import Description, Table, WriteTarget
from lineagegraph.spark.columns.column_lineage import Resolved
from lineagegraph.spark.connect.parts import (
    Effect,
    FilePaths,
    Jdbc,
    Name,
    NamedTable,
    Part,
    Unknown,
    WrittenPart,
    is_temporary,
)
from lineagegraph.spark.connect.server import CatalogEntry, Server
from lineagegraph.spark.dataset_names import DatasetName, name_jdbc, name_jdbc_target, name_path
from lineagegraph.spark.file_paths import stable_paths
from lineagegraph.spark.plan_json import PlanNode
from lineagegraph.spark.schema_fields import Field
from lineagegraph.spark.trimming import trim_description

_PLAN = PlanNode("Connect", {"class": ""}, ())
DEEPEST_VIEW = 20
_SESSION_CATALOG = "spark_catalog"


@dataclass(frozen=True)
class Datasets:
    """Finds the datasets of parts; `views` are the temporary views of the session."""

    server: Server
    views: Mapping[str, tuple[Part, ...]]
    trimmers: tuple[str, ...]

    def describe(self, effect: Effect) -> Description:
        """Return the inputs and outputs of an effect before it happens."""
        read: list[Table] = []
        opaque: list[str] = []
        for source in effect.sources:
            tables, unknown = self._read(source, DEEPEST_VIEW)
            read += (table for table in tables if table not in read)
            opaque += unknown
        targets: list[WriteTarget] = []
        for output in effect.outputs:
            found = self._written(output)
            if isinstance(found, WriteTarget):
                targets.append(found)
            elif found:
                opaque.append(found)
        relations: dict[int, tuple[Table, ...]] = {
            number: (table,) for number, table in enumerate(read)
        }
        description = Description(_PLAN, Resolved(), relations, sql=effect.sql)
        described = _with_outputs(description, targets, opaque)
        return trim_description(described, self.trimmers)

    def describe_end(self, description: Description, effect: Effect) -> Description:
        """Return a description with the schemas and the places that outputs have afterwards."""
        known = [each for each in effect.outputs if not isinstance(each.part, Unknown)]
        targets, opaque = list(description.targets), list(description.opaque)
        if len(known) == len(targets):
            pairs = zip(targets, known, strict=True)
            targets = [self._after(target, output) for target, output in pairs]
        opaque += (f"output {each.table.dataset.name}" for each in targets if _is_new(each))
        placed = [each for each in targets if not _is_new(each)]
        return trim_description(_with_outputs(description, placed, opaque), self.trimmers)

    def _after(self, target: WriteTarget, output: WrittenPart) -> WriteTarget:
        if target.change == "DROP":
            return target
        table = target.table
        if isinstance(output.part, NamedTable):
            if entry := self.server.find(output.part.name):
                table = _table(entry)
            schema = self.server.schema_of_table(output.part.name)
        else:
            schema = self.server.schema(output.query) if output.query is not None else ()
        return replace(target, table=replace(table, schema=schema))

    def _read(self, part: Part, depth: int) -> tuple[list[Table], list[str]]:
        match part:
            case NamedTable():
                return self._read_named(part.name, depth)
            case FilePaths():
                schema = self.server.schema(part.relation) if part.relation is not None else ()
                paths = stable_paths([self.server.qualified(path) for path in part.paths])
                return [Table(name_path(_folder(path)), schema) for path in paths], []
            case Jdbc():
                names = name_jdbc(part.url, part.table)
                return [Table(name) for name in names], [] if names else ["source jdbc"]
            case Unknown():
                return [], [part.kind]

    def _read_named(self, name: Name, depth: int) -> tuple[list[Table], list[str]]:
        view = self.views.get(name[-1].lower()) if is_temporary(name) else None
        if view is not None:
            return self._read_all(view, depth)
        entry = self.server.find(name)
        if entry is None:
            return [], [f"source {'.'.join(name)}"]
        if entry.view is not None:
            return self._read_all(_parts_of_view(entry), depth)
        return [_table(entry, self.server.schema_of_table(name))], []

    def _read_all(self, parts: tuple[Part, ...], depth: int) -> tuple[list[Table], list[str]]:
        tables: list[Table] = []
        opaque: list[str] = [] if depth else ["view"]
        for part in parts if depth else ():
            found, unknown = self._read(part, depth - 1)
            tables += found
            opaque += unknown
        return tables, opaque

    def _written(self, output: WrittenPart) -> WriteTarget | str | None:
        """Return an output, the kind of one that is not understood, or None for no change."""
        match output.part:
            case NamedTable():
                return self._written_table(output, output.part.name)
            case FilePaths():
                [path] = output.part.paths
                path = self.server.qualified(path)
                return WriteTarget(Table(name_path(path)), output.change, path)
            case Jdbc():
                name = name_jdbc_target(output.part.url, output.part.table)
                return WriteTarget(Table(name), output.change)
            case Unknown():
                return output.part.kind

    def _written_table(self, output: WrittenPart, name: Name) -> WriteTarget | str | None:
        before = self.server.find(output.previous or name)
        if before is not None and before.view is None:
            table = _table(before)
            if output.previous:
                renamed = replace(
                    table, dataset=_new(name), table=("", f"{before.database}.{name[-1]}")
                )
                return WriteTarget(renamed, "RENAME", previous=table)
            return WriteTarget(table, output.change)
        if output.change in ("DROP", "ALTER", "RENAME"):
            return None  # it fails, or does nothing as the table is missing
        return WriteTarget(Table(_new(name)), output.change)


def failed(description: Description) -> Description:
    """Return a description without the outputs that were never made."""
    placed = [each for each in description.targets if not _is_new(each)]
    return _with_outputs(description, placed, list(description.opaque))


def _with_outputs(
    description: Description, targets: list[WriteTarget], opaque: list[str]
) -> Description:
    alone = replace(description, target=None, also=())
    first, *more = [replace(alone, target=each) for each in targets] or [alone]
    return replace(first.with_outputs_of(more), opaque=tuple(opaque))


def _new(name: Name) -> DatasetName:
    """Return the name of a table that has no place before it is made."""
    return DatasetName("", ".".join(name))


def _is_new(target: WriteTarget) -> bool:
    return target.table.dataset.namespace == ""


def _parts_of_view(entry: CatalogEntry) -> tuple[Part, ...]:
    """Return the sources of a view; short names are those of the catalog where it was made."""
    # Its parser is slow to import, and most tasks do without.
    from lineagegraph.spark.connect.statements import effect_of_sql

    effect = effect_of_sql(entry.view or "")
    namespace = entry.view_namespace
    return tuple(
        NamedTable((*namespace[: max(0, len(namespace) + 1 - len(part.name))], *part.name))
        if isinstance(part, NamedTable)
        else part
        for part in effect.sources
    )


def _table(entry: CatalogEntry, schema: tuple[Field, ...] = ()) -> Table:
    """Return a table as a session in the driver names it."""
    if entry.location is None:
        return Table(DatasetName(entry.catalog, entry.identifier), schema)
    dataset = name_path(entry.location)
    if entry.catalog != _SESSION_CATALOG or entry.provider == "iceberg":
        return Table(dataset, schema, (entry.catalog, entry.identifier))
    warehouse = f"{dataset.namespace}:{dataset.name.rpartition('/')[0]}"
    return Table(dataset, schema, (warehouse, entry.identifier))


def _folder(path: str) -> str:
    """Return a path up to its first folder with a wildcard."""
    folders = path.split("/")
    steady = next((n for n, folder in enumerate(folders) if set(folder) & set("*?[{")), None)
    return path if steady is None else "/".join(folders[:steady])
