"""The relations at the leaves of a plan, as the datasets that they read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lineagegraph.spark.action import Table
from lineagegraph.spark.dataset_names import DatasetName, name_jdbc, name_jdbc_columns, name_path
from lineagegraph.spark.delta_sources import changed_names, indexed_names, is_delta
from lineagegraph.spark.file_paths import stable_paths
from lineagegraph.spark.iceberg.tables import iceberg_of, inner_table, is_metadata, version_read
from lineagegraph.spark.jvm import (
    class_name,
    is_a,
    is_instance,
    java_class,
    option,
    sequence,
    texts,
)
from lineagegraph.spark.kafka.sources import Scanned, kafka_source, topics_read
from lineagegraph.spark.rdds.sources import paths_of
from lineagegraph.spark.schema_fields import schema_fields

# Rows that the program has itself, names that a command resolves, parts of other plans.
_MADE_HERE = (
    "LocalRelation",
    "Range",
    "OneRowRelation",
    "EmptyRelation",
    "CommandResult",
    "CTERelationRef",
    "UnionLoopRef",
    "ResolvedIdentifier",
    "ResolvedNamespace",
    "ResolvedTable",
    "ResolvedPersistentView",
    "ResolvedTempView",
)
_OF_RDD = ("LogicalRDD", "ExternalRDD")
COMMAND = "org.apache.spark.sql.catalyst.plans.logical.Command"

Schema = tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Reading:
    """The tables at the leaves of plans by their first attribute's id, and the other leaves."""

    tables: dict[int, tuple[Table, ...]] = field(default_factory=dict)
    opaque: tuple[str, ...] = ()
    #: an executed plan tells no more
    is_final: bool = True

    def __or__(self, other: "Reading") -> "Reading":
        is_final = self.is_final and other.is_final
        return Reading(self.tables | other.tables, self.opaque + other.opaque, is_final)

    def without(self, table: Table) -> "Reading":
        """Return what is read of other datasets than that of a table."""
        others = {
            relation: tables
            for relation, tables in self.tables.items()
            if any(each.key != table.key for each in tables)
        }
        return Reading(others, self.opaque, self.is_final)


def read_relations(
    session: Any, plan: Any, scanned: Callable[[], Scanned] | None = None
) -> Reading:
    """Return the datasets of each leaf, sub-queries included.

    `scanned` has the offsets of Kafka that an execution has read, once it has ended.
    """
    found: dict[int, tuple[Table, ...]] = {}
    opaque: list[str] = []
    is_final = True
    for leaf in _leaves(plan):
        kind = class_name(leaf)
        if kind in _MADE_HERE or (leaf.equals(plan) and is_instance(leaf, COMMAND)):
            continue
        if (source := kafka_source(leaf, kind)) is not None:
            schema = schema_fields(leaf.schema().json())
            tables, unknown = topics_read(leaf, source, schema, scanned() if scanned else {})
            is_final &= kind != "LogicalRelation" or scanned is not None
        else:
            tables, unknown = tables_of(session, leaf)
        opaque += unknown
        output = leaf.output()
        if tables and not output.isEmpty():
            relation = int(output.head().exprId().id())
            # The columns of an RDD are those of a program, not of the files that it reads.
            found[-relation if kind in _OF_RDD else relation] = tables
    return Reading(found, tuple(opaque), is_final)


def tables_of(session: Any, leaf: Any) -> tuple[tuple[Table, ...], list[str]]:
    """Return the datasets that a leaf stands for, and the kinds of sources not understood."""
    kind = class_name(leaf)
    schema = schema_fields(leaf.schema().json())
    if kind == "LogicalRelation":
        return _tables_of_v1(session, leaf, schema)
    if kind == "HiveTableRelation":
        return (catalog_table(session, leaf.tableMeta(), schema),), []
    if kind == "StreamingDataSourceV2ScanRelation":
        leaf, kind = leaf.relation(), "StreamingDataSourceV2Relation"
    if kind in ("DataSourceV2Relation", "StreamingDataSourceV2Relation"):
        tables = _tables_of_v2(session, leaf, schema)
        is_stream = kind == "StreamingDataSourceV2Relation"  # its name has its options
        name = class_name(leaf.table()) if is_stream else leaf.table().name()
        is_known = tables or iceberg_of(leaf.table()) is not None  # of its own files
        return tables, [] if is_known else [f"source {name}"]
    if kind in _OF_RDD:
        return _tables_of_rdd(leaf)
    return (), [kind]


def _tables_of_v1(session: Any, leaf: Any, schema: Schema) -> tuple[tuple[Table, ...], list[str]]:
    relation = leaf.relation()
    names = relation_names(relation)
    if table := option(leaf.catalogTable()):
        version = names[0].version if names else None
        return (_with_version(catalog_table(session, table, schema), version),), []
    tables = tuple(Table(name, schema) for name in names)
    if is_a(relation, "JDBCRelation"):
        tables = _tables_of_jdbc(relation, schema)
    is_known = tables or is_a(relation, "HadoopFsRelation")  # a log of Delta is no dataset
    return tables, [] if is_known else [f"source {class_name(relation)}"]


def _tables_of_jdbc(relation: Any, schema: Schema) -> tuple[Table, ...]:
    """Return the tables behind a query; its schema is that of a table only if it reads just one."""
    options = relation.jdbcOptions()
    found = name_jdbc_columns(options.url(), options.tableOrQuery())
    is_table = len(found) == 1 and found[0][1] is None
    return tuple(Table(name, schema if is_table else (), origins=own) for name, own in found)


def _tables_of_rdd(leaf: Any) -> tuple[tuple[Table, ...], list[str]]:
    """Return the datasets of a plan made of an RDD: `df.rdd` or text files, not checkpoints."""
    paths, unknown = paths_of(leaf.rdd())
    return tuple(Table(name_path(path)) for path in paths), unknown


def _with_version(table: Table, version: str | None) -> Table:
    return replace(table, dataset=replace(table.dataset, version=version)) if version else table


def _tables_of_v2(session: Any, leaf: Any, schema: Schema) -> tuple[Table, ...]:
    table = leaf.table()
    if is_delta(table) and class_name(table) == "DeltaTableV2":
        if catalog := option(table.catalogTable()):
            return (catalog_table(session, catalog, schema),)
        return (Table(name_path(table.path().toString()), schema),)
    catalog, identifier = option(leaf.catalog()), option(leaf.identifier())
    if (iceberg := iceberg_of(table)) is not None:
        if is_metadata(iceberg):
            return ()
        found = iceberg_table(iceberg, catalog, identifier, schema)
        return (_with_version(found, version_read(table)),)
    if names := table_names(table):
        return tuple(Table(name, schema) for name in names)
    if identifier is None:
        return ()
    return (identified_table(session, catalog, identifier, schema),)


def iceberg_table(iceberg: Any, catalog: Any, identifier: Any, schema: Schema) -> Table:
    """Return a table of Iceberg: the dataset is its location, its name in a catalog a symlink."""
    # A table that is used by its path has an identifier, too.
    named = catalog is not None and class_name(identifier) == "IdentifierImpl"
    symlink = (str(catalog.name()), str(identifier.toString())) if named else None
    return Table(name_path(str(iceberg.location())), schema, symlink)


def resolved_table(session: Any, resolved: Any) -> Table:
    """Return a table that a command has found by its name in a V2 catalog."""
    catalog, identifier = resolved.catalog(), resolved.identifier()
    if (iceberg := iceberg_of(resolved.table())) is not None:
        return iceberg_table(iceberg, catalog, identifier, ())
    return identified_table(session, catalog, identifier, ())


def identified_table(session: Any, catalog: Any, identifier: Any, schema: Schema) -> Table:
    """Return a table by its catalog, which may be none, and its name there."""
    if catalog is None or catalog.name() == "spark_catalog":
        database = identifier.namespace()[0] if len(identifier.namespace()) else None
        return _session_table(session, database, identifier.name(), schema)
    return Table(DatasetName(catalog.name(), identifier.toString()), schema)


def _session_table(session: Any, database: str | None, name: str, schema: Schema) -> Table:
    tables = session.sessionState().catalog()
    qualified = f"{_quoted(database)}.{_quoted(name)}" if database else _quoted(name)
    identifier = session.sessionState().sqlParser().parseTableIdentifier(qualified)
    if tables.tableExists(identifier):
        return catalog_table(session, tables.getTableMetadata(identifier), schema)
    return table_at(tables, identifier, tables.defaultTablePath(identifier), schema)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def catalog_table(session: Any, table: Any, schema: Schema = ()) -> Table:
    """Return a table of Spark's own catalog: the dataset is the location of its files."""
    catalog = session.sessionState().catalog()
    return table_at(catalog, table.identifier(), location_of(session, table), schema)


def location_of(session: Any, table: Any) -> Any:
    """Return the URI of the files of a table of Spark's own catalog."""
    catalog = session.sessionState().catalog()
    return option(table.storage().locationUri()) or catalog.defaultTablePath(table.identifier())


def table_at(catalog: Any, identifier: Any, location: Any, schema: Schema) -> Table:
    """Return a table of Spark's own catalog at a location; `catalog` knows the current database."""
    database = option(identifier.database()) or catalog.getCurrentDatabase()
    is_local = location.getScheme() in (None, "file")
    dataset = name_path(location.getPath() if is_local else location.toString())
    warehouse = dataset.name.rpartition("/")[0]
    name = f"{database}.{identifier.table()}"
    return Table(dataset, schema, (f"{dataset.namespace}:{warehouse}", name))


def qualified(session: Any, path: str) -> str:
    """Return a path with its file system, as Hadoop would find it from here."""
    found = java_class("org.apache.hadoop.fs.Path", session)(path)
    return str(found.getFileSystem(session.sessionState().newHadoopConf()).makeQualified(found))


def _leaves(plan: Any) -> Iterator[Any]:
    yield from sequence(plan.collectLeaves())
    for subquery in sequence(plan.subqueriesAll()):
        yield from sequence(subquery.collectLeaves())


def relation_names(relation: Any) -> list[DatasetName]:
    """Return the datasets that a V1 relation reads."""
    if is_a(relation, "HadoopFsRelation"):
        if is_delta(relation.location()):
            return indexed_names(relation.location())
        base = option(relation.options().get("basePath"))
        paths = [base] if base else texts(relation.location().rootPaths())
        return [name_path(path) for path in stable_paths(paths)]
    if is_a(relation, "JDBCRelation"):
        options = relation.jdbcOptions()
        return name_jdbc(options.url(), options.tableOrQuery())
    return changed_names(relation)


def table_names(table: Any) -> list[DatasetName]:
    """Return the datasets of a V2 table that has a location."""
    if is_a(table, "FileTable"):
        return [name_path(p) for p in stable_paths(texts(table.fileIndex().rootPaths()))]
    location = inner_table(table).properties().get("location")
    return [name_path(location)] if location else []
