"""The outputs of commands."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from lineagegraph.spark.action import Change, Table, WriteTarget
from lineagegraph.spark.dataset_names import name_jdbc_target, name_path
from lineagegraph.spark.delta_sources import is_delta
from lineagegraph.spark.iceberg.tables import ROW_LEVEL, iceberg_of, unaliased
from lineagegraph.spark.jvm import class_name, is_instance, option, sequence
from lineagegraph.spark.kafka.outputs import Outputs, Relations, kafka_outputs
from lineagegraph.spark.plan_json import PlanNode
from lineagegraph.spark.relations import (
    COMMAND,
    Schema,
    catalog_table,
    iceberg_table,
    identified_table,
    qualified,
    resolved_table,
    tables_of,
)
from lineagegraph.spark.schema_fields import schema_fields
from lineagegraph.spark.streams import relation_written, table_written

_V2_WRITES = (
    "AppendData",
    "OverwriteByExpression",
    "OverwritePartitionsDynamic",
    "ReplaceData",
    "WriteDelta",
)


# Commands that change which rows a table has, without a query.
_CHANGES = (
    "LoadDataCommand",
    "TruncateTableCommand",
    "AlterTableAddPartitionCommand",
    "AlterTableDropPartitionCommand",
    "AlterTableRenamePartitionCommand",
    "AlterTableSetLocationCommand",
)
# Commands that look, set or only change what a catalog knows, not rows.
_WRITES_NOTHING = re.compile(
    r"^(?!(?:Alter|Add|Rename|Drop).*Partition)"
    r"(Show|Describe|Set|Reset|Use|Cache|Uncache|Refresh|Clear|Analyze|Explain|Comment|Add|List|Alter"
    r"|Create(?!.*AsSelect)|DropView|DropTempView|DropFunction|DropNamespace|DropDatabase|Declare|Recover"
    r"|Repair|NoOp|WriteFiles|Unset|Rename|DropVariable|Get)"
)


# Outputs that keep no rows, or only in memory.
_NOWHERE = ("noop-table", "console", "MemorySink", "ForeachBatchSink", "ConsoleWrite")
_FILE_SINK = re.compile(r"FileSink\[(.*)\]")


def outputs_of(
    session: Any, command: Any, plan: PlanNode, schema: Schema, read: Relations
) -> Outputs:
    """Return the outputs of a command, and those that are not understood."""
    if (topics := kafka_outputs(command, plan, schema, read)) is not None:
        return topics
    target = _target(session, command, plan, schema)
    return Outputs((target,)) if target else Outputs(opaque=tuple(_opaque(command, plan)))


def _target(session: Any, command: Any, plan: PlanNode, schema: Schema) -> WriteTarget | None:
    """Return the output of a command; None if it writes to no dataset."""
    match plan.name:
        case "InsertIntoHadoopFsRelationCommand":
            return _files(session, command, plan, schema)
        case "CreateDataSourceTableAsSelectCommand" | "InsertIntoHiveTable":
            return WriteTarget(
                catalog_table(session, command.table(), schema), _change(plan, command)
            )
        case "CreateHiveTableAsSelectCommand":
            return WriteTarget(catalog_table(session, command.tableDesc(), schema), "CREATE")
        case name if name in _CHANGES:
            return _changed(session, command, plan)
        case "InsertIntoDataSourceDirCommand" | "InsertIntoHiveDirCommand":
            return _folder(session, command, plan, schema)
        case "SaveIntoDataSourceCommand":
            return _source(session, command, schema)
        case "SaveAsV1TableCommand":
            return WriteTarget(
                catalog_table(session, command.tableDesc(), schema), _change(plan, command)
            )
        case "WriteToMicroBatchDataSourceV1":
            return _stream(session, command, schema)
    return _of_v2(session, command, plan, schema)


def _of_v2(session: Any, command: Any, plan: PlanNode, schema: Schema) -> WriteTarget | None:
    """Return the output of a command of a V2 catalog."""
    match plan.name:
        case "CreateTableAsSelect" | "ReplaceTableAsSelect":
            return _created(session, command, plan, schema)
        case "WriteToMicroBatchDataSource":
            return _stream_v2(command, schema)
        case "DeleteFromTable" | "TruncateTable":
            return _emptied(session, command, plan)
        case name if name in _V2_WRITES:
            return _v2(session, command, plan, schema)
    return None


def commands_of(command: Any, plan: PlanNode) -> list[tuple[Any, PlanNode]]:
    """Return the commands of `FROM t INSERT INTO a … INSERT INTO b …`, or the only one."""
    inserts = list(sequence(command.children())) if plan.name == "Union" else []
    if inserts and all(is_instance(each, COMMAND) for each in inserts):
        return list(zip(inserts, plan.children, strict=True))
    return [(command, plan)]


def _opaque(command: Any, plan: PlanNode) -> list[str]:
    """Return the kind of a command without a known output, unless it is known to write no rows."""
    if plan.name.startswith("WriteToMicroBatch"):
        return _opaque_sink(command, plan)
    if plan.name == "WriteToContinuousDataSource":  # no command of Spark's
        name = class_name(command.write())
        return [] if name in _NOWHERE else [f"output {name}"]
    if _WRITES_NOTHING.search(plan.name) or not is_instance(command, COMMAND):
        return []
    if plan.name in _V2_WRITES:
        table = command.table()
        name = str(table.table().name()) if class_name(table) == "DataSourceV2Relation" else ""
        return [] if name in _NOWHERE else [f"output {name or plan.name}"]
    return [plan.name]


def _opaque_sink(command: Any, plan: PlanNode) -> list[str]:
    """Return the unknown output of a stream; `foreachBatch` has actions of its own."""
    is_v1 = plan.name.endswith("V1")
    name = class_name(command.sink()) if is_v1 else str(table_written(command).name())
    return [] if name in _NOWHERE else [f"output {name}"]


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


def _folder(session: Any, command: Any, plan: PlanNode, schema: Schema) -> WriteTarget | None:
    """Return the folder of an INSERT OVERWRITE DIRECTORY; one of a source may be no folder."""
    location = option(command.storage().locationUri())
    if location is None:
        return None
    is_local = plan.name == "InsertIntoHiveDirCommand" and command.isLocal()
    path = f"file:{location.getPath()}" if is_local else qualified(session, location.toString())
    return WriteTarget(Table(name_path(path), schema), "OVERWRITE" if command.overwrite() else None)


def _source(session: Any, command: Any, schema: Schema) -> WriteTarget | None:
    options = command.options()
    url, table = option(options.get("url")), option(options.get("dbtable"))
    path = option(options.get("path"))
    change: Change | None = "OVERWRITE" if command.mode().name() == "Overwrite" else None
    if url and table:
        name = name_jdbc_target(url, table)
        return WriteTarget(Table(name, schema), change, counts_by_stage=True)
    if not path:
        return None
    path = qualified(session, path)
    delta = path if is_delta(command.dataSource()) else None
    return WriteTarget(Table(name_path(path), schema), change, delta=delta)


def _changed(session: Any, command: Any, plan: PlanNode) -> WriteTarget:
    is_load = plan.name == "LoadDataCommand"
    identifier = command.table() if is_load else command.tableName()
    table = session.sessionState().catalog().getTableMetadata(identifier)
    schema = schema_fields(table.schema().json())
    change: Change | None = "TRUNCATE" if plan.name == "TruncateTableCommand" else None
    if is_load:
        change = "OVERWRITE" if command.isOverwrite() else None
    return WriteTarget(catalog_table(session, table, schema), change)


def loaded_path(session: Any, command: Any, plan: PlanNode) -> dict[int, tuple[Table, ...]]:
    """Return the file that a LOAD DATA moves into a table."""
    if plan.name != "LoadDataCommand":
        return {}
    path = command.path()
    if command.isLocal():
        path = f"file:{Path(path.removeprefix('file:')).absolute()}"
    return {-1: (Table(name_path(qualified(session, path))),)}


def _created(session: Any, command: Any, plan: PlanNode, schema: Schema) -> WriteTarget | None:
    name, spec = command.name(), command.tableSpec()
    if class_name(name) != "ResolvedIdentifier":
        return None
    table = identified_table(session, name.catalog(), name.identifier(), schema)
    location = option(spec.location())
    if location:
        table = replace(table, dataset=name_path(qualified(session, location)))
    is_new = plan.name == "CreateTableAsSelect"
    is_delta_table = str(option(spec.provider())).lower() == "delta"
    where = location or table.dataset.name
    return WriteTarget(
        table, "CREATE" if is_new else "OVERWRITE", delta=where if is_delta_table else None
    )


def _stream(session: Any, command: Any, schema: Schema) -> WriteTarget | None:
    """Return what a batch of a stream writes; None for one that a function writes."""
    sink = command.sink()
    if is_of_delta := class_name(sink) == "DeltaSink":
        path, table = sink.path().toString(), option(sink.catalogTable())
    elif found := _FILE_SINK.fullmatch(str(sink.toString())):
        path, table = found[1], option(command.catalogTable())
    else:
        return None
    path = qualified(session, path)
    name = catalog_table(session, table).table if table else None
    written = Table(name_path(path), schema, name)
    if is_of_delta:
        return WriteTarget(written, delta=path)
    return WriteTarget(written, counts_by_stage=True)


def _stream_v2(command: Any, schema: Schema) -> WriteTarget | None:
    iceberg = iceberg_of(table_written(command))
    if iceberg is None:
        return None
    relation = relation_written(command)
    catalog = option(relation.catalog()) if relation else None
    identifier = option(relation.identifier()) if relation else None
    return WriteTarget(iceberg_table(iceberg, catalog, identifier, schema))


def _emptied(session: Any, command: Any, plan: PlanNode) -> WriteTarget | None:
    """Return the table of a V2 catalog that a statement deletes rows of, without a query."""
    if plan.name == "TruncateTable":
        return WriteTarget(resolved_table(session, command.table()), "TRUNCATE")
    relation = unaliased(command.table())
    if class_name(relation) != "DataSourceV2Relation":
        return None
    tables, _ = tables_of(session, relation)
    return WriteTarget(_unread(tables[0])) if tables else None


def _v2(session: Any, command: Any, plan: PlanNode, schema: Schema) -> WriteTarget | None:
    relation = command.table()
    if class_name(relation) != "DataSourceV2Relation":
        return None
    tables, _ = tables_of(session, relation)
    if not tables:
        return None
    change: Change | None = "OVERWRITE" if plan.name.startswith("Overwrite") else None
    table = _unread(tables[0])
    if plan.name not in ROW_LEVEL:  # its query has columns for the operation
        table = replace(table, schema=schema)
    of_delta = class_name(relation.table()) == "DeltaTableV2"
    delta = relation.table().path().toString() if of_delta else None
    return WriteTarget(table, change, delta=delta)


def _unread(table: Table) -> Table:
    """Return a table that is written, without the version that a reader would see."""
    return replace(table, dataset=replace(table.dataset, version=None))


def _change(plan: PlanNode, command: Any) -> Change | None:
    if plan.name == "InsertIntoHiveTable":
        return "OVERWRITE" if command.overwrite() else None
    match command.mode().name():
        case "Overwrite":
            return "OVERWRITE"
        case "ErrorIfExists":
            return "CREATE"
    return None
