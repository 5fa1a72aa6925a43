"""Delta's own commands: what they write and read."""

from typing import Any

from lineagegraph.spark.action import Change, Table, WriteTarget
from lineagegraph.spark.delta_sources import table_name
from lineagegraph.spark.jvm import class_name, option
from lineagegraph.spark.plan_json import PlanNode
from lineagegraph.spark.relations import Schema, catalog_table, location_of
from lineagegraph.spark.schema_fields import schema_fields


def plans_read(command: Any, plan: PlanNode) -> tuple[Any, ...]:
    """Return the plans that a command reads; UPDATE and DELETE have no other source of rows."""
    return (command.source(), command.target()) if plan.name == "MergeIntoCommand" else ()


def schema_written(command: Any, plan: PlanNode) -> Schema:
    """Return the schema of the table that a command changes, if the command has it."""
    if plan.name in ("MergeIntoCommand", "UpdateCommand", "DeleteCommand"):
        return schema_fields(command.target().schema().json())
    return ()


def table_cloned(session: Any, command: Any, plan: PlanNode) -> Table | None:
    """Return the table that a command clones."""
    clone = command if plan.name == "CloneTableCommand" else None
    if plan.name == "CreateDeltaTableCommand":
        clone = option(command.query())
    if clone is None or class_name(clone) != "CloneTableCommand":
        return None
    source = clone.sourceTable()
    return _table(session, source.catalogTable(), source.dataPath(), ())


def delta_target(session: Any, command: Any, plan: PlanNode, schema: Schema) -> WriteTarget | None:
    """Return the output of a command of Delta; None if it changes no rows."""
    change: Change | None = None
    match plan.name:
        case "MergeIntoCommand":
            path, catalog = command.targetFileIndex().path(), command.catalogTable()
        case "UpdateCommand":
            path, catalog = command.tahoeFileIndex().path(), command.catalogTable()
        case "DeleteCommand":
            path, catalog = command.deltaLog().dataPath(), command.catalogTable()
        case "RestoreTableCommand":
            path, catalog = command.sourceTable().path(), command.sourceTable().catalogTable()
        case "TruncateDeltaTableCommand":
            table = command.child().table()
            path, catalog = table.path(), table.catalogTable()
        case "CreateDeltaTableCommand" if not command.query().isEmpty():
            table = catalog_table(session, command.table(), schema)
            change = "CREATE" if command.existingTableOpt().isEmpty() else "OVERWRITE"
            return WriteTarget(
                table, change, delta=location_of(session, command.table()).toString()
            )
        case _:
            return None
    table = _table(session, catalog, path, schema)
    return WriteTarget(table, change, delta=path.toString())


def _table(session: Any, catalog: Any, path: Any, schema: Schema) -> Table:
    if found := option(catalog):
        return catalog_table(session, found, schema)
    return Table(table_name(path), schema)
