"""Counts of rows, bytes and files from the metrics of an executed plan."""

from collections.abc import Callable, Iterator
from typing import Any

from lineagegraph.spark.action import Statistics
from lineagegraph.spark.dataset_names import DatasetName
from lineagegraph.spark.jvm import class_name, option, sequence
from lineagegraph.spark.relations import relation_names, table_names

Key = tuple[str, str]


def written(plan: Any) -> Statistics | None:
    """Return the metrics of the write at the top of a plan."""
    metrics = final(plan).metrics()
    if not metrics.contains("numOutputRows") or not metrics.contains("numFiles"):
        return None
    rows, size, files = (_value(metrics, f"num{n}") for n in ("OutputRows", "OutputBytes", "Files"))
    return Statistics(rows, size, files)


def read(plan: Any, trim: Callable[[DatasetName], DatasetName]) -> dict[Key, Statistics]:
    """Return the metrics of the scans of a plan by dataset; two scans of a dataset add up."""
    found: dict[Key, Statistics] = {}
    for scan in _scans(plan):
        keys = {(name.namespace, name.name) for name in map(trim, _datasets(scan))}
        if len(keys) == 1:
            key = keys.pop()
            found[key] = found.get(key, Statistics()) + _scanned(scan.metrics())
    return found


def final(plan: Any) -> Any:
    """Return the final plan of adaptive execution."""
    kind = class_name(plan)
    if kind == "AdaptiveSparkPlanExec":
        return final(plan.executedPlan())
    return final(plan.plan()) if kind.endswith("QueryStageExec") else plan


def _scans(plan: Any) -> Iterator[Any]:
    for leaf in sequence(plan.collectLeaves()):
        kind = class_name(leaf)
        if kind == "AdaptiveSparkPlanExec" or kind.endswith("QueryStageExec"):
            yield from _scans(final(leaf))
        elif kind in ("FileSourceScanExec", "RowDataSourceScanExec", "BatchScanExec"):
            yield leaf
    for subquery in sequence(plan.subqueriesAll()):
        yield from _scans(subquery)


def _datasets(scan: Any) -> list[DatasetName]:
    if class_name(scan) == "BatchScanExec":
        return table_names(scan.table())
    return relation_names(scan.relation())


def _scanned(metrics: Any) -> Statistics:
    return Statistics(
        _value(metrics, "numOutputRows"), _value(metrics, "filesSize"), _value(metrics, "numFiles")
    )


def _value(metrics: Any, name: str) -> int | None:
    metric = option(metrics.get(name))
    return None if metric is None else int(metric.value())
