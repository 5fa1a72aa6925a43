"""Commands that create, drop, rename or alter a table, without rows."""

from dataclasses import dataclass, replace
from typing import Any

from lineagegraph.spark.action import Table, WriteTarget
from lineagegraph.spark.catalog.changes import CatalogChanges
from lineagegraph.spark.jvm import class_name, option, sequence
from lineagegraph.spark.plan_json import PlanNode
from lineagegraph.spark.relations import catalog_table, identified_table
from lineagegraph.spark.schema_fields import schema_fields

_KINDS = {
    "DropTableCommand": "drop",
    "DropTable": "drop",
    "AlterTableRenameCommand": "rename",
    "RenameTable": "rename",
    "CreateTableCommand": "create",
    "CreateDataSourceTableCommand": "create",
    "CreateTable": "create",
    "CreateTableLikeCommand": "create",
}
_DATABASES = ("DropDatabaseCommand", "DropNamespace")
_ALTERED = ("AlterTableAddColumnsCommand", "AlterTableChangeColumnCommand")


@dataclass(frozen=True)
class CatalogOutcome:
    """What a command did: its outputs, or the kind of it that is not understood, or nothing."""

    targets: tuple[WriteTarget, ...] = ()
    opaque: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Named:
    """A table as a command names it; `foreign` if it is of another catalog than Spark's own."""

    database: str
    table: str
    foreign: Table | None = None


def is_catalog_command(plan: PlanNode) -> bool:
    """Return whether only the end of a command tells what it did."""
    return plan.name in (*_KINDS, *_ALTERED, *_DATABASES)


def outcome_of(
    session: Any, command: Any, plan: PlanNode, changes: CatalogChanges, since: int
) -> CatalogOutcome:
    """Return what a command did that has ended; `since` is the number of changes before it."""
    if plan.name in _ALTERED:
        return CatalogOutcome((_altered(session, command, plan),))
    if plan.name in _DATABASES:
        return _dropped_database(command, plan, changes, since)
    if plan.name.startswith(("Drop", "AlterTableRename", "RenameTable")) and _is_view(
        command, plan
    ):
        return CatalogOutcome()
    named = _named(session, command, plan)
    if named is None:
        return CatalogOutcome(opaque=(plan.name,))
    if named.foreign:
        return CatalogOutcome((_foreign(session, command, _KINDS[plan.name], named.foreign),))
    change = changes.take(_KINDS[plan.name], named.database, named.table, since)
    if change is None:
        return CatalogOutcome()
    match _KINDS[plan.name]:
        case "drop" if change.before:
            return CatalogOutcome((_dropped(change.before),))
        case "rename" if change.before and change.after:
            return CatalogOutcome((WriteTarget(change.after, "RENAME", previous=change.before),))
        case "create" if change.after:
            # A table for a folder that has its rows already writes none.
            made = () if change.is_external else (WriteTarget(change.after, "CREATE"),)
            return CatalogOutcome(made)
    return CatalogOutcome(opaque=(plan.name,))


def _dropped_database(
    command: Any, plan: PlanNode, changes: CatalogChanges, since: int
) -> CatalogOutcome:
    """Return the tables of a database that is dropped with CASCADE; views have none."""
    if not command.cascade():
        return CatalogOutcome()
    if plan.name == "DropDatabaseCommand":
        name = command.databaseName()
    elif _is_of_session(command.namespace()):
        name = command.namespace().namespace().last()
    else:
        return CatalogOutcome(opaque=(plan.name,))
    change = changes.take("drop database", name, "", since)
    if change is None:
        return CatalogOutcome()
    if None in change.tables:
        return CatalogOutcome(opaque=(plan.name,))
    return CatalogOutcome(tuple(_dropped(table) for table in change.tables if table))


def _is_of_session(namespace: Any) -> bool:
    is_known = class_name(namespace) == "ResolvedNamespace"
    return is_known and namespace.catalog().name() == "spark_catalog"


def _dropped(table: Table) -> WriteTarget:
    return WriteTarget(replace(table, schema=()), "DROP")


def _is_view(command: Any, plan: PlanNode) -> bool:
    return plan.name != "DropTable" and bool(command.isView())


def _named(session: Any, command: Any, plan: PlanNode) -> _Named | None:
    match plan.name:
        case "DropTableCommand":
            return _of_session(session, command.tableName())
        case "AlterTableRenameCommand":
            return _of_session(session, command.oldName())
        case "CreateTableLikeCommand":
            return _of_session(session, command.targetTable())
        case "CreateTableCommand" | "CreateDataSourceTableCommand":
            return _of_session(session, command.table().identifier())
    child = command.name() if plan.name == "CreateTable" else command.child()
    if class_name(child) not in ("ResolvedIdentifier", "ResolvedTable"):
        return None
    identifier = child.identifier()
    if child.catalog().name() != "spark_catalog":
        schema = schema_fields(command.tableSchema().json()) if plan.name == "CreateTable" else ()
        foreign = identified_table(session, child.catalog(), identifier, schema)
        return _Named("", "", foreign)
    namespace = identifier.namespace()
    return _Named(namespace[0] if len(namespace) else _current(session), identifier.name())


def _of_session(session: Any, identifier: Any) -> _Named:
    return _Named(option(identifier.database()) or _current(session), identifier.table())


def _current(session: Any) -> str:
    return str(session.sessionState().catalog().getCurrentDatabase())


def _foreign(session: Any, command: Any, kind: str, table: Table) -> WriteTarget:
    if kind == "rename":
        name = ".".join(map(str, sequence(command.newName())))
        database = table.dataset.name.rpartition(".")[0]
        whole = name if "." in name or not database else f"{database}.{name}"
        after = replace(table, dataset=replace(table.dataset, name=whole))
        return WriteTarget(after, "RENAME", previous=table)
    return WriteTarget(table, "DROP" if kind == "drop" else "CREATE")


def _altered(session: Any, command: Any, plan: PlanNode) -> WriteTarget:
    is_added = plan.name == "AlterTableAddColumnsCommand"
    identifier = command.table() if is_added else command.tableName()
    table = session.sessionState().catalog().getTableMetadata(identifier)
    schema = schema_fields(table.schema().json())
    return WriteTarget(catalog_table(session, table, schema), "ALTER")
