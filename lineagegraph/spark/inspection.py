"""Inspection of Spark's query executions in the JVM."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from lineagegraph.spark import metrics
from lineagegraph.spark.action import Description, Measured, Partition, Statistics
from lineagegraph.spark.catalog.changes import CatalogChanges
from lineagegraph.spark.catalog.commands import is_catalog_command, outcome_of
from lineagegraph.spark.columns.column_lineage import Resolved, resolve_columns, resolve_merge
from lineagegraph.spark.columns.transformations import Sources
from lineagegraph.spark.dataset_names import DatasetName, name_path
from lineagegraph.spark.delta.commands import (
    delta_target,
    plans_read,
    schema_written,
    table_cloned,
)
from lineagegraph.spark.delta.commits import Commits
from lineagegraph.spark.iceberg.snapshots import Snapshots
from lineagegraph.spark.iceberg.tables import (
    ROW_LEVEL,
    changes_only_itself,
    iceberg_written,
    is_upkeep,
)
from lineagegraph.spark.jvm import option
from lineagegraph.spark.kafka.sources import Scanned, is_made_by_kafka
from lineagegraph.spark.partitions import written_partitions
from lineagegraph.spark.plan_json import PlanNode, read_plan
from lineagegraph.spark.rdds.jobs import RddJob, describe_job
from lineagegraph.spark.relations import Reading, read_relations
from lineagegraph.spark.schema_fields import schema_fields
from lineagegraph.spark.targets import commands_of, loaded_path, outputs_of
from lineagegraph.spark.trimming import CONF, trim, trim_description, trimmers

Read = dict[tuple[str, str], Statistics]


class Inspector:
    """Reads plans before and metrics after an execution; `context` is the SparkContext."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._commits = Commits(context._jvm)
        self._snapshots = Snapshots(context.applicationId)
        self._changes = CatalogChanges(context)
        self._trimmers = trimmers(context.getConf().get(CONF, ""))

    def find(self, execution: int) -> Any:
        """Return the query execution that runs under an id, or None once it has ended."""
        executions = self._context._jvm.org.apache.spark.sql.execution.SQLExecution
        return executions.getQueryExecution(execution)

    @property
    def changes(self) -> int:
        """How many changes of tables Spark's catalog has told."""
        return self._changes.heard_so_far

    def table_changed(self, kind: str, event: Any) -> None:
        """Take note of an event of Spark's catalog."""
        self._changes.heard(kind, event)

    def describe(
        self, execution: Any, known: Mapping[int, Sources], changes_before: int | None
    ) -> Description | None:
        """Describe an analyzed plan; None if only its end tells what it did.

        `changes_before` is the number of changes of tables before an execution that has ended.
        """
        plan = read_plan(execution.analyzed())
        if is_catalog_command(plan):
            if changes_before is None:
                return None
            return self._describe_change(execution, plan, changes_before)
        scanned = cache(lambda: metrics.offsets_read(execution.executedPlan()))
        found = self._describe(execution, plan, known, None if changes_before is None else scanned)
        found = trim_description(found, self._trimmers)
        if found.uses_catalog:
            self._changes.watch()
        return found

    def _describe(
        self,
        execution: Any,
        plan: PlanNode,
        known: Mapping[int, Sources],
        scanned: Callable[[], Scanned] | None,
    ) -> Description:
        session, analyzed = execution.sparkSession(), execution.analyzed()
        if plan.is_delta_command:
            return self._describe_delta(session, execution, plan)
        sql = _sql(execution.logical(), _query(analyzed, plan))
        first, *more = [
            self._describe_command(session, command, tree, known, scanned)
            for command, tree in commands_of(analyzed, plan)
        ]
        return replace(first.with_outputs_of(more), sql=sql)

    def _describe_command(
        self,
        session: Any,
        command: Any,
        plan: PlanNode,
        known: Mapping[int, Sources],
        scanned: Callable[[], Scanned] | None,
    ) -> Description:
        if is_upkeep(command, plan.name) or is_made_by_kafka(command, plan):
            return Description(plan, Resolved())
        query = _query(command, plan)
        schema = schema_fields(query.schema().json())
        read, resolved = read_relations(session, query, scanned), resolve_columns(plan, known)
        written = outputs_of(session, command, plan, schema, read.tables)
        first, *more = written.targets or (None,)
        if first and plan.name in ROW_LEVEL:
            resolved = resolved.of(str(each["name"]) for each in first.table.schema)
        if first and changes_only_itself(command, plan.name):
            read, resolved = read.without(first.table), Resolved()
        found = Description(
            plan=plan,
            resolved=resolved,
            relations=read.tables | loaded_path(session, command, plan),
            target=first,
            opaque=(*read.opaque, *written.opaque),
            is_final=read.is_final,
        )
        return found.with_outputs_of([replace(found, target=each, opaque=()) for each in more])

    def _describe_change(self, execution: Any, plan: PlanNode, since: int) -> Description:
        session, command = execution.sparkSession(), execution.analyzed()
        outcome = outcome_of(session, command, plan, self._changes, since)
        self._changes.watch()
        sql = _sql(execution.logical(), command)
        first, *more = [
            Description(plan, Resolved(), target=each) for each in outcome.targets or (None,)
        ]
        return replace(first.with_outputs_of(more), sql=sql, opaque=outcome.opaque)

    def _describe_delta(self, session: Any, execution: Any, plan: PlanNode) -> Description:
        command = execution.analyzed()
        read = Reading()
        for each in plans_read(command, plan):
            read |= read_relations(session, each)
        if cloned := table_cloned(session, command, plan):
            read |= Reading({-1: (cloned,)})
        return Description(
            plan=plan,
            resolved=resolve_merge(plan) if plan.name == "MergeIntoCommand" else Resolved(),
            relations=read.tables,
            opaque=read.opaque,
            target=delta_target(session, command, plan, schema_written(command, plan)),
            sql=_sql(execution.logical(), command),
        )

    def describe_job(self, job: RddJob) -> Description:
        """Describe a job outside of SQL."""
        hadoop = self._context._jsc.hadoopConfiguration()

        def name_of(path: str) -> DatasetName:
            if path.startswith("kafka:"):
                return name_path(path)
            found = self._context._jvm.org.apache.hadoop.fs.Path(path)
            name = name_path(str(found.getFileSystem(hadoop).makeQualified(found)))
            return trim(name, self._trimmers)

        return describe_job(job, name_of)

    def measure(self, execution: Any, description: Description, started: int) -> Measured:
        """Read the metrics of an execution that began at `started` (milliseconds)."""
        plan = execution.executedPlan()
        read = metrics.read(metrics.final(plan), partial(trim, kinds=self._trimmers))
        target = description.target
        if target and target.delta:
            return self._measure_delta(execution, description, target.delta, started, read)
        command = description.plan.name
        iceberg = iceberg_written(execution.analyzed(), command) if target else None
        if iceberg is not None and (found := self._snapshots.take(iceberg, command, started)):
            return Measured(read, found.statistics, version=found.version)
        written = metrics.written(plan) if len(description.targets) == 1 else None
        return Measured(
            read=read,
            written=written,
            partitions=self._partitions(description, started, written) if written else (),
        )

    def _measure_delta(
        self, execution: Any, description: Description, path: str, started: int, read: Read
    ) -> Measured:
        session, command = execution.sparkSession(), description.plan.name
        commit = self._commits.take(session, path, command, started)
        if commit is None:
            return Measured(read=read)
        return Measured(read, commit.statistics, commit.partitions, str(commit.version))

    def _partitions(
        self, description: Description, started: int, written: Statistics
    ) -> tuple[Partition, ...]:
        target = description.target
        if not target or not target.path or not target.partition_columns:
            return ()
        return written_partitions(
            self._context._jvm,
            self._context._gateway,
            self._context._jsc.hadoopConfiguration(),
            target.path,
            target.partition_columns,
            started,
            written,
        )


def _query(analyzed: Any, plan: PlanNode) -> Any:
    return analyzed.query() if "query" in plan.fields else analyzed


def _sql(*plans: Any) -> str | None:
    found = (option(plan.origin().sqlText()) for plan in plans)
    return next((str(text) for text in found if text), None)
