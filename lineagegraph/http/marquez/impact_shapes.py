"""What depends on a column, as JSON."""

from typing import Any

from lineagegraph.queries.find.resolve import served_namespace
from lineagegraph.queries.lineage.impact import AffectedColumn, Impact
from lineagegraph.queries.lineage.lineage_graph import DatasetRow, JobRow
from lineagegraph.store.lineage.lineage import ColumnRow


def impact_shape(impact: Impact, inherit: bool) -> dict[str, Any]:
    """Return the columns, datasets and jobs that depend on a column, the nearest first."""
    return {
        "column": _column(impact.dataset, impact.column),
        "columns": [_affected(one, inherit) for one in impact.columns],
        "datasets": [
            {
                "id": f"dataset:{one.dataset.namespace}:{one.dataset.name}",
                "namespace": one.dataset.namespace,
                "name": one.dataset.name,
                "distance": one.distance,
                "direct": one.direct,
            }
            for one in impact.datasets
        ],
        "jobs": [
            _job(one.job, inherit) | {"distance": one.distance, "direct": one.direct}
            for one in impact.jobs
        ],
        "truncated": impact.cut,
    }


def _affected(one: AffectedColumn, inherit: bool) -> dict[str, Any]:
    return {
        **_column(one.dataset, one.column),
        "distance": one.distance,
        "direct": one.direct,
        "path": [_job(job, inherit)["id"] for job in one.path],
    }


def _column(dataset: DatasetRow, column: ColumnRow) -> dict[str, Any]:
    return {
        "id": f"datasetField:{dataset.namespace}:{dataset.name}:{column.name}",
        "namespace": dataset.namespace,
        "dataset": dataset.name,
        "field": column.name,
        "fieldType": column.type,
    }


def _job(job: JobRow, inherit: bool) -> dict[str, Any]:
    top = job.ancestors[0].namespace if job.ancestors else job.namespace
    namespace = served_namespace(job.namespace, top, inherit)
    return {"id": f"job:{namespace}:{job.name}", "namespace": namespace, "name": job.name}
