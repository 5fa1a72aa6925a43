"""Store the waits of a task, so that another worker can continue its run."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.freshness.candidate import Entering
from lineagegraph.graph import Transaction
from lineagegraph.model.pipelines.entry import Wait, Waits
from lineagegraph.store.freshness import waits

PARENT = "PARENT"
SAME_TASK = "SAME_TASK"
# What ends while a wait is written is met by neither side: look once more soon.
_FIRST = timedelta(seconds=1)


def keep_waits(
    tx: Transaction, task: Entering, found: Waits, *, now: datetime | None = None
) -> bool:
    """Store the waits of a task; existing ones keep their deadline.

    Return False if its run is not in the graph yet.
    """
    waits.release_waits(tx, run_ids=[task.run_id])
    rows = [_row(task, one) for one in found.on]
    return waits.merge_waits(tx, rows=rows, first=_FIRST, now=now) == len(rows)


def _row(task: Entering, one: Wait) -> dict[str, Any]:
    return {
        "run_id": task.run_id,
        "root_id": task.root_id,
        "job_key": one.job_key,
        "kind": PARENT if one.freshness else SAME_TASK,
        "lease": None if one.freshness else task.lease,
        "freshness": msgspec.json.encode(one.freshness).decode() if one.freshness else None,
        "parts": list(task.parts),
        "submitted_at": task.submitted.isoformat(),
        "recheck": one.recheck,
        "wait": None if one.wait is None else round(one.wait * 1_000_000),
    }
