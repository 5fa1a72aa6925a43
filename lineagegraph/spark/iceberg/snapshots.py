"""The snapshot of an Iceberg table that an execution made, with its counts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from lineagegraph.spark.action import Statistics
from lineagegraph.spark.table_versions import NEWEST, TakenVersions, total_of

_MERGED = "spark.merge-into.num-target-rows-"


@dataclass(frozen=True)
class Snapshot:
    """A version of a table, with the counts of its changes."""

    version: str
    statistics: Statistics


class Snapshots:
    """Finds snapshots, each for one execution only, of one application of Spark."""

    def __init__(self, application: str) -> None:
        self._application = application
        self._taken = TakenVersions()

    def take(self, table: Any, command: str, since: int) -> Snapshot | None:
        """Return the oldest snapshot since a time (milliseconds) that no other execution has."""
        seen = ((one.snapshotId(), one) for one in _snapshots(table, since) if self._is_ours(one))
        found = self._taken.take_oldest(str(table.location()), seen)
        return found and Snapshot(str(found.snapshotId()), _statistics(found.summary(), command))

    def _is_ours(self, snapshot: Any) -> bool:
        # A compaction changes no rows.
        is_change = snapshot.operation() != "replace"
        return bool(is_change and snapshot.summary().get("spark.app.id") == self._application)


def _snapshots(table: Any, since: int) -> Iterator[Any]:
    """Yield the newest snapshots since a time, newest first."""
    table.refresh()
    snapshot = table.currentSnapshot()
    for _ in range(NEWEST):
        if snapshot is None or snapshot.timestampMillis() < since:
            return
        yield snapshot
        parent = snapshot.parentId()
        snapshot = None if parent is None else table.snapshot(parent)


def _statistics(summary: Mapping[str, str], command: str) -> Statistics:
    total = partial(total_of, summary)
    # What replaces files counts rows that were only copied as added, too.
    rows = total(f"{_MERGED}inserted", f"{_MERGED}updated")
    if rows is None and command != "ReplaceData":
        rows = total("added-records")
    return Statistics(rows, total("added-files-size"), total("added-data-files"))
