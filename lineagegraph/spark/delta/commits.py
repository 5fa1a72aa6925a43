"""The commit of a Delta table that an execution made: its version and what it counted."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from lineagegraph.spark.action import Partition, Statistics
from lineagegraph.spark.dataset_names import DatasetName
from lineagegraph.spark.table_versions import NEWEST, TakenVersions, total_of

_MOST_LINES = 2000
# The commits of these commands; those of all other ones are of none of these kinds.
_OPERATIONS = {
    "MergeIntoCommand": {"MERGE"},
    "UpdateCommand": {"UPDATE"},
    "DeleteCommand": {"DELETE"},
    "TruncateDeltaTableCommand": {"DELETE", "TRUNCATE"},
    "WriteToMicroBatchDataSourceV1": {"STREAMING UPDATE"},
}
_UPKEEP = {"OPTIMIZE", "VACUUM START", "VACUUM END", "SET TBLPROPERTIES", "COMPUTE STATS"}
_OTHERS = _UPKEEP.union(*_OPERATIONS.values())


@dataclass(frozen=True)
class Commit:
    """A version of a table, with the counts and the partitions of its changes."""

    version: int
    statistics: Statistics
    partitions: tuple[Partition, ...]


class Commits:
    """Finds commits, each for one execution only; `jvm` is py4j's view of the driver."""

    def __init__(self, jvm: Any) -> None:
        self._jvm = jvm
        self._taken = TakenVersions()

    def take(self, session: Any, path: str, command: str, since: int) -> Commit | None:
        """Return the oldest commit since a time (milliseconds) that no other execution has."""
        log = self._jvm.org.apache.spark.sql.delta.DeltaLog.forTable(session, path)
        return self._taken.take_oldest(path, _commits(log, command, since))


def _commits(log: Any, command: str, since: int) -> Iterator[tuple[int, Commit]]:
    """Yield the newest commits since a time that a command may have made, newest first."""
    newest = log.unsafeVolatileSnapshot().version()
    for version in range(newest, max(0, newest - NEWEST) - 1, -1):
        lines = _lines(log, version)
        info: dict[str, Any] = next(
            (line["commitInfo"] for line in lines if "commitInfo" in line), {}
        )
        if info.get("timestamp", 0) < since:
            return
        if _is_of(info.get("operation"), command):
            yield version, _commit(version, info, lines)


def _is_of(operation: Any, command: str) -> bool:
    allowed = _OPERATIONS.get(command)
    return operation in allowed if allowed else operation not in _OTHERS


def _lines(log: Any, version: int) -> list[dict[str, Any]]:
    file = log.logPath().suffix(f"/{version:020}.json")
    lines = log.store().read(file, log.newDeltaHadoopConf())
    return [
        json.loads(line) for line in str(lines.take(_MOST_LINES + 1).mkString("\n")).split("\n")
    ]


def _commit(version: int, info: dict[str, Any], lines: list[dict[str, Any]]) -> Commit:
    metrics = info.get("operationMetrics", {})
    is_whole = len(lines) <= _MOST_LINES
    return Commit(version, _statistics(metrics), tuple(_partitions(lines)) if is_whole else ())


def _statistics(metrics: dict[str, str]) -> Statistics:
    total = partial(total_of, metrics)
    # Those of MERGE and UPDATE count rows that were only copied to another file as output too.
    rows = total("numTargetRowsInserted", "numTargetRowsUpdated", "numUpdatedRows")
    return Statistics(
        total("numOutputRows") if rows is None and "numDeletedRows" not in metrics else rows,
        total("numOutputBytes", "numTargetBytesAdded", "numAddedBytes", "restoredFilesSize"),
        total("numFiles", "numTargetFilesAdded", "numAddedFiles", "numRestoredFiles"),
    )


def _partitions(lines: list[dict[str, Any]]) -> Iterator[Partition]:
    seen = set()
    for line in lines:
        file = line.get("add") or line.get("remove") or {}
        values = file.get("partitionValues") if file.get("dataChange") else None
        if values and (key := tuple(sorted(values.items()))) not in seen:
            seen.add(key)
            yield DatasetName("", "", key).dimensions
