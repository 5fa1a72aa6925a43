"""Iceberg's own tables behind the tables of plans."""

from typing import Any

from lineagegraph.spark.jvm import class_name, is_a, option
from lineagegraph.spark.streams import table_written

_PACKAGE = "org.apache.iceberg.spark."
_UPDATES = ("AppendData", "OverwriteByExpression", "OverwritePartitionsDynamic")
# The catalogs of tables whose files Iceberg rewrites, one for each group of files.
_REWRITES = ("default_rewrite_catalog", "default_cache_iceberg")
_UPKEEP = ("Rewrite", "Expire", "RemoveOrphan", "ComputeTableStats", "ComputePartitionStats")
_DELETES = ("DeleteFromTable", "TruncateTable")
ROW_LEVEL = ("ReplaceData", "WriteDelta")
"""The commands that MERGE, UPDATE and DELETE become."""


def iceberg_of(table: Any) -> Any:
    """Return Iceberg's table behind a V2 table of a plan, or None."""
    table = inner_table(table)
    if not str(table.getClass().getName()).startswith(_PACKAGE):
        return None
    known = is_a(table, "SparkTable") or is_a(table, "BaseSparkTable")
    return table.table() if known else None


def is_metadata(iceberg: Any) -> bool:
    """Return whether an Iceberg table is one of the files or snapshots of another one."""
    above = iceberg.getClass()
    while above is not None:
        if str(above.getName()) == "org.apache.iceberg.BaseMetadataTable":
            return True
        above = above.getSuperclass()
    return False


def inner_table(table: Any) -> Any:
    """Return the table that a row-level operation is about, or the table itself."""
    return table.table() if class_name(table) == "RowLevelOperationTable" else table


def version_read(table: Any) -> str | None:
    """Return the snapshot that an Iceberg table of a plan reads, if it has one."""
    table = inner_table(table)
    if not is_a(table, "SparkTable"):  # a log of changes
        return None
    if (chosen := table.snapshotId()) is not None:
        return str(chosen)
    current = table.table().currentSnapshot()
    return None if current is None else str(current.snapshotId())


def iceberg_written(command: Any, name: str) -> Any:
    """Return Iceberg's table that a command of a class `name` writes, or None."""
    if name == "WriteToMicroBatchDataSource":
        return iceberg_of(table_written(command))
    if name not in (*_UPDATES, *_DELETES, *ROW_LEVEL):
        return None
    relation = unaliased(command.table())
    has_table = class_name(relation) in ("DataSourceV2Relation", "ResolvedTable")
    return iceberg_of(relation.table()) if has_table else None


def unaliased(relation: Any) -> Any:
    """Return a relation without its alias."""
    return relation.child() if class_name(relation) == "SubqueryAlias" else relation


def changes_only_itself(command: Any, name: str) -> bool:
    """Return whether a command is an UPDATE or a DELETE, whose rows come from the table itself."""
    if name not in ROW_LEVEL:
        return name in _DELETES
    return str(command.table().table().operation().command()) != "MERGE"


def is_upkeep(command: Any, name: str) -> bool:
    """Return whether a command only writes the rows of an Iceberg table into other files."""
    if name == "Call":
        return class_name(command.procedure()).startswith(_UPKEEP)
    if name != "AppendData" or class_name(command.table()) != "DataSourceV2Relation":
        return False
    catalog = option(command.table().catalog())
    return catalog is not None and str(catalog.name()) in _REWRITES
