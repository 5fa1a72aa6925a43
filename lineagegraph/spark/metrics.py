"""Counts of rows, bytes and files from the metrics of an executed plan."""

from collections.abc import Callable, Iterator
from typing import Any

from lineagegraph.spark.action import Statistics
from lineagegraph.spark.dataset_names import DatasetName
from lineagegraph.spark.jvm import class_name, option, sequence
from lineagegraph.spark.kafka.offsets import offsets_of_scan
from lineagegraph.spark.kafka.sources import Scanned, rows_read
from lineagegraph.spark.relations import relation_names, table_names

Key = tuple[str, str]
_SCANS = ("FileSourceScanExec", "RowDataSourceScanExec", "BatchScanExec", "MicroBatchScanExec")


def written(plan: Any) -> Statistics | None:
    """Return the metrics of the write at the top of a plan."""
    top = final(plan)
    if class_name(top) == "WriteToDataSourceV2Exec":  # a batch of a stream
        committed = option(top.commitProgress())
        return None if committed is None else Statistics(int(committed.numOutputRows()))
    metrics = top.metrics()
    if not metrics.contains("numOutputRows") or not metrics.contains("numFiles"):
        return None
    rows, size, files = (_value(metrics, f"num{n}") for n in ("OutputRows", "OutputBytes", "Files"))
    return Statistics(rows, size, files)


def written_by_tasks(stage: Any) -> Statistics:
    """Return the rows and bytes that a stage wrote; a database counts no bytes."""
    output = stage.taskMetrics().outputMetrics()
    return Statistics(int(output.recordsWritten()), int(output.bytesWritten()) or None)


def read(plan: Any, trim: Callable[[DatasetName], DatasetName]) -> dict[Key, Statistics]:
    """Return the metrics of the scans of a plan by dataset; two scans of a dataset add up."""
    found: dict[Key, Statistics] = {}
    for scan in _scans(plan):
        for name, counted in _counts(scan, trim).items():
            key = name.namespace, name.name
            found[key] = found.get(key, Statistics()) + counted
    return found


def offsets_read(plan: Any) -> Scanned:
    """Return the offsets that the scans of a plan have read of Kafka."""
    scans = ((scan, offsets_of_scan(scan)) for scan in _scans(plan))
    return {int(scan.output().head().exprId().id()): found for scan, found in scans if found}


def _counts(scan: Any, trim: Callable[[DatasetName], DatasetName]) -> dict[DatasetName, Statistics]:
    """Return the counts of a scan; those of several datasets only if they are known of each."""
    if topics := rows_read(scan):
        return topics
    names = {(name.namespace, name.name): name for name in map(trim, _datasets(scan))}
    return {name: _scanned(scan.metrics()) for name in names.values() if len(names) == 1}


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
        elif kind in _SCANS:
            yield leaf
    for subquery in sequence(plan.subqueriesAll()):
        yield from _scans(subquery)


def _datasets(scan: Any) -> list[DatasetName]:
    match class_name(scan):
        case "BatchScanExec":
            return table_names(scan.table())
        case "MicroBatchScanExec":  # only those of Kafka are counted
            return []
    return relation_names(scan.relation())


def _scanned(metrics: Any) -> Statistics:
    return Statistics(
        _value(metrics, "numOutputRows"), _value(metrics, "filesSize"), _value(metrics, "numFiles")
    )


def _value(metrics: Any, name: str) -> int | None:
    metric = option(metrics.get(name))
    return None if metric is None else int(metric.value())
