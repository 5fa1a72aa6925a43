"""Inspection of Spark's query executions in the JVM."""

from collections.abc import Mapping
from typing import Any

from lineagegraph.spark import metrics
from lineagegraph.spark.action import Description, Measured, Partition
from lineagegraph.spark.column_lineage import resolve_columns
from lineagegraph.spark.jvm import option
from lineagegraph.spark.partitions import written_partitions
from lineagegraph.spark.plan_json import PlanNode, parse_plan
from lineagegraph.spark.relations import read_relations
from lineagegraph.spark.schema_fields import schema_fields
from lineagegraph.spark.targets import read_target
from lineagegraph.spark.transformations import Sources


class Inspector:
    """Reads plans before and metrics after an execution; `context` is the SparkContext."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def find(self, execution: int) -> Any:
        """Return the query execution that runs under an id, or None once it has ended."""
        executions = self._context._jvm.org.apache.spark.sql.execution.SQLExecution
        return executions.getQueryExecution(execution)

    def describe(self, execution: Any, known: Mapping[int, Sources]) -> Description:
        """Describe an analyzed plan."""
        session, analyzed = execution.sparkSession(), execution.analyzed()
        plan = parse_plan(analyzed.toJSON())
        query = _query(analyzed, plan)
        schema = schema_fields(query.schema().json())
        return Description(
            plan=plan,
            resolved=resolve_columns(plan, known),
            relations=read_relations(session, query),
            target=read_target(session, analyzed, plan, schema),
            sql=_sql(execution.logical(), query),
        )

    def measure(self, execution: Any, description: Description, started: int) -> Measured:
        """Read the metrics of an execution that began at `started` (milliseconds)."""
        plan = execution.executedPlan()
        written = metrics.written(plan) if description.target else None
        return Measured(
            read=metrics.read(metrics.final(plan)),
            written=written,
            partitions=self._partitions(description, started) if written else (),
        )

    def _partitions(self, description: Description, started: int) -> tuple[Partition, ...]:
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
        )


def _query(analyzed: Any, plan: PlanNode) -> Any:
    return analyzed.query() if "query" in plan.fields else analyzed


def _sql(*plans: Any) -> str | None:
    found = (option(plan.origin().sqlText()) for plan in plans)
    return next((str(text) for text in found if text), None)
