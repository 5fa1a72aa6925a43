"""Backfills as JSON."""

from collections.abc import Sequence
from typing import Any

import msgspec

from lineagegraph.backfills.start import Planned
from lineagegraph.queries.triggers.backfills import Backfill
from lineagegraph.store.triggers.backfills import PartitionRow


def backfill_shape(found: Backfill) -> dict[str, Any]:
    """Return a backfill and how far it has come."""
    about, progress = found.about, found.progress
    return {
        "id": about.id,
        "namespace": about.namespace,
        "job": about.job,
        "state": about.state,
        "reason": about.reason,
        "which": about.which,
        "order": about.order,
        "concurrency": about.concurrency,
        "stopAfter": about.stop_after,
        "createdAt": about.created_at,
        "endedAt": about.ended_at,
        "partitions": about.total,
        "states": {one.state: one.partitions for one in about.counts},
        "done": progress.done,
        "failed": progress.failed,
        "active": progress.active,
        "waiting": progress.waiting,
        "ratePerMinute": progress.rate_per_minute,
        "restSeconds": progress.rest_seconds,
    }


def partition_shape(one: PartitionRow) -> dict[str, Any]:
    """Return a partition of a backfill and its run."""
    return {
        "number": one.number,
        "params": msgspec.Raw(one.params.encode()),
        "partition": _partition(one.partition),
        "state": one.state,
        "runId": one.run_id,
        "startedAt": one.started_at,
        "endedAt": one.ended_at,
        "reason": one.reason,
        "error": one.error,
    }


def plan_shape(plan: Sequence[Planned]) -> dict[str, Any]:
    """Return the partitions that a backfill would have."""
    return {
        "partitions": [_planned(one) for one in plan],
        "totalCount": len(plan),
        "toRun": sum(one.will_run for one in plan),
    }


def _planned(one: Planned) -> dict[str, Any]:
    return {
        "number": one.number,
        "params": one.params,
        "partition": _partition(one.partition),
        "latestRunId": one.latest_run,
        "latestState": one.latest_state,
        "willRun": one.will_run,
    }


def _partition(text: str | None) -> msgspec.Raw | None:
    return msgspec.Raw(text.encode()) if text else None
