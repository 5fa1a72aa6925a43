"""Delta tables as plans read them."""

from dataclasses import replace
from typing import Any

from lineagegraph.spark.dataset_names import DatasetName, name_path
from lineagegraph.spark.jvm import class_name

_PACKAGE = "org.apache.spark.sql.delta."


def is_delta(value: Any) -> bool:
    """Return whether an object of the JVM is of a class of Delta."""
    return str(value.getClass().getName()).startswith(_PACKAGE)


def indexed_names(index: Any) -> list[DatasetName]:
    """Return the table that an index of Delta's files is for; its log is not a dataset."""
    if class_name(index) == "DeltaLogFileIndex":
        return []
    return [table_name(index.path(), index.version())]


def changed_names(relation: Any) -> list[DatasetName]:
    """Return the table whose change feed a relation reads."""
    if class_name(relation) != "DeltaCDFRelation":
        return []
    snapshot = relation.snapshotWithSchemaMode().snapshot()
    return [table_name(snapshot.path().getParent(), snapshot.version())]


def table_name(path: Any, version: int | None = None) -> DatasetName:
    """Return the name of the table at a Hadoop path."""
    name = name_path(path.toString())
    return name if version is None else replace(name, version=str(version))
