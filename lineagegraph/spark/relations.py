"""The relations at the leaves of a plan, as the datasets that they read."""

from collections.abc import Iterator
from typing import Any

from lineagegraph.spark.action import Table
from lineagegraph.spark.dataset_names import DatasetName, name_jdbc, name_path
from lineagegraph.spark.jvm import class_name, is_a, option, sequence, texts
from lineagegraph.spark.schema_fields import schema_fields

MANY_FILES = 20

Schema = tuple[dict[str, Any], ...]


def read_relations(session: Any, plan: Any) -> dict[int, tuple[Table, ...]]:
    """Return the datasets of each leaf by its first attribute's id, sub-queries included."""
    found = {}
    for leaf in _leaves(plan):
        output = leaf.output()
        if not output.isEmpty() and (tables := tables_of(session, leaf)):
            found[int(output.head().exprId().id())] = tables
    return found


def tables_of(session: Any, leaf: Any) -> tuple[Table, ...]:
    """Return the datasets that a leaf stands for: none for data made in the program."""
    kind = class_name(leaf)
    schema = schema_fields(leaf.schema().json())
    if kind == "LogicalRelation":
        if table := option(leaf.catalogTable()):
            return (catalog_table(session, table, schema),)
        return tuple(Table(name, schema) for name in relation_names(leaf.relation()))
    if kind == "HiveTableRelation":
        return (catalog_table(session, leaf.tableMeta(), schema),)
    if kind in ("DataSourceV2Relation", "StreamingDataSourceV2Relation"):
        return tuple(Table(name, schema) for name in table_names(leaf.table()) or _identified(leaf))
    return ()


def catalog_table(session: Any, table: Any, schema: Schema = ()) -> Table:
    """Return a table of Spark's own catalog: the dataset is the location of its files."""
    catalog = session.sessionState().catalog()
    identifier = table.identifier()
    database = option(identifier.database()) or catalog.getCurrentDatabase()
    location = option(table.storage().locationUri()) or catalog.defaultTablePath(identifier)
    is_local = location.getScheme() in (None, "file")
    dataset = name_path(location.getPath() if is_local else location.toString())
    warehouse = dataset.name.rpartition("/")[0]
    name = f"{database}.{identifier.table()}"
    return Table(dataset, schema, (f"{dataset.namespace}:{warehouse}", name))


def _leaves(plan: Any) -> Iterator[Any]:
    yield from sequence(plan.collectLeaves())
    for subquery in sequence(plan.subqueriesAll()):
        yield from sequence(subquery.collectLeaves())


def relation_names(relation: Any) -> list[DatasetName]:
    """Return the datasets that a V1 relation reads."""
    if is_a(relation, "HadoopFsRelation"):
        base = option(relation.options().get("basePath"))
        paths = [base] if base else texts(relation.location().rootPaths())
        return [name_path(path) for path in _stable_paths(paths)]
    if is_a(relation, "JDBCRelation"):
        options = relation.jdbcOptions()
        return name_jdbc(options.url(), options.tableOrQuery())
    return []


def table_names(table: Any) -> list[DatasetName]:
    """Return the datasets of a V2 table that has a location."""
    if is_a(table, "FileTable"):
        return [name_path(p) for p in _stable_paths(texts(table.fileIndex().rootPaths()))]
    location = table.properties().get("location")
    return [name_path(location)] if location else []


def _identified(leaf: Any) -> list[DatasetName]:
    catalog, identifier = option(leaf.catalog()), option(leaf.identifier())
    if identifier is None:
        return []
    return [DatasetName(catalog.name() if catalog else "spark_catalog", identifier.toString())]


def _stable_paths(paths: list[str]) -> list[str]:
    """Return the folders instead of the files if these have temporary names or are many."""
    folders = [path.rpartition("/")[0] if _passing(path) else path for path in paths]
    if len(set(folders)) > MANY_FILES:
        folders = [path.rpartition("/")[0] for path in folders]
    return list(dict.fromkeys(folders))


def _passing(path: str) -> bool:
    return path.rpartition("/")[2].startswith("part-")
