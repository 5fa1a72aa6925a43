"""The V2 table that a micro-batch of a stream writes.

Its command has the table, and the relation only if a catalog has it; since Spark 4.2 it has a
relation always, under both names.
"""

from typing import Any

from lineagegraph.spark.jvm import class_name, option

_RELATION = "DataSourceV2Relation"


def relation_written(command: Any) -> Any:
    """Return the relation of the table that a micro-batch writes, or None."""
    found = command.relation()
    return found if class_name(found) == _RELATION else option(found)


def table_written(command: Any) -> Any:
    """Return the table that a micro-batch writes."""
    found = command.table()
    return found.table() if class_name(found) == _RELATION else found
