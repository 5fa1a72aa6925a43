"""The outputs of commands."""

from typing import Any

from lineagegraph.spark.action import Change, Table, WriteTarget
from lineagegraph.spark.dataset_names import name_jdbc_target, name_path
from lineagegraph.spark.jvm import class_name, option
from lineagegraph.spark.plan_json import PlanNode
from lineagegraph.spark.relations import Schema, catalog_table, tables_of

_V2_WRITES = (
    "AppendData",
    "OverwriteByExpression",
    "OverwritePartitionsDynamic",
    "ReplaceData",
    "WriteDelta",
)


def read_target(session: Any, command: Any, plan: PlanNode, schema: Schema) -> WriteTarget | None:
    """Return the output of a command; None if it writes to no dataset."""
    match plan.name:
        case "InsertIntoHadoopFsRelationCommand":
            return _files(session, command, plan, schema)
        case "CreateDataSourceTableAsSelectCommand" | "InsertIntoHiveTable":
            return WriteTarget(
                catalog_table(session, command.table(), schema), _change(plan, command)
            )
        case "SaveIntoDataSourceCommand":
            return _source(command, schema)
        case "SaveAsV1TableCommand":
            return WriteTarget(
                catalog_table(session, command.tableDesc(), schema), _change(plan, command)
            )
    return _v2(session, command, plan, schema) if plan.name in _V2_WRITES else None


def _files(session: Any, command: Any, plan: PlanNode, schema: Schema) -> WriteTarget:
    path = command.outputPath().toString()
    dataset = name_path(path)
    catalog = option(command.catalogTable())
    name = catalog_table(session, catalog).table if catalog else None
    return WriteTarget(
        table=Table(dataset, schema, name),
        change=_change(plan, command),
        path=path,
        partition_columns=tuple(
            (column.fields["name"], str(column.fields["dataType"]))
            for column in plan.trees("partitionColumns")
        ),
    )


def _source(command: Any, schema: Schema) -> WriteTarget | None:
    options = command.options()
    url, table = option(options.get("url")), option(options.get("dbtable"))
    path = option(options.get("path"))
    if url and table:
        dataset = name_jdbc_target(url, table)
    elif path:
        dataset = name_path(path)
    else:
        return None
    change: Change | None = "OVERWRITE" if command.mode().name() == "Overwrite" else None
    return WriteTarget(Table(dataset, schema), change, counts_by_stage=bool(url and table))


def _v2(session: Any, command: Any, plan: PlanNode, schema: Schema) -> WriteTarget | None:
    relation = command.table()
    if class_name(relation) != "DataSourceV2Relation":
        return None
    tables = tables_of(session, relation)
    change: Change | None = "OVERWRITE" if plan.name.startswith("Overwrite") else None
    return WriteTarget(Table(tables[0].dataset, schema), change) if tables else None


def _change(plan: PlanNode, command: Any) -> Change | None:
    if plan.name == "InsertIntoHiveTable":
        return "OVERWRITE" if command.overwrite() else None
    match command.mode().name():
        case "Overwrite":
            return "OVERWRITE"
        case "ErrorIfExists":
            return "CREATE"
    return None
