"""Backfills as answers."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from lineagegraph.backfills.start import Planned
from lineagegraph.http.backfills.bodies import OrderBody, WhichBody
from lineagegraph.http.plumbing.answers import (
    AnswerStruct,
    Count,
    RawObject,
    RawTexts,
    Timestamp,
    Uuid,
    about,
    answer_from,
)
from lineagegraph.model.triggers.backfill import BackfillState
from lineagegraph.queries.triggers.backfills import Backfill
from lineagegraph.store.triggers.backfills import PartitionRow


class BackfillAnswer(AnswerStruct):
    """A backfill and how far it has come."""

    id: str
    namespace: str
    job: str
    state: BackfillState
    reason: str | None
    which: WhichBody
    order: OrderBody
    concurrency: Annotated[int, msgspec.Meta(ge=1)]
    stop_after: int | None
    created_at: Timestamp
    ended_at: Timestamp | None
    partitions: Count
    states: Annotated[
        dict[str, Count],
        about(
            "How many partitions are in each state: their run's, or UNSTARTED, SKIPPED or "
            "CANCELLED."
        ),
    ]
    done: Count
    failed: Count
    active: Count
    waiting: Count
    rate_per_minute: float | None
    rest_seconds: float | None


class BackfillPartitionAnswer(AnswerStruct):
    """A partition of a backfill and its run."""

    number: Count
    params: RawObject
    partition: RawTexts | None
    state: str
    run_id: Uuid | None
    started_at: Timestamp | None
    ended_at: Timestamp | None
    reason: str | None
    error: str | None


class PlannedPartitionAnswer(AnswerStruct):
    """A partition, the latest run for it, and whether it would run."""

    number: Count
    params: dict[str, Any]
    partition: RawTexts | None
    latest_run_id: str | None
    latest_state: str | None
    will_run: bool


class BackfillPlanAnswer(AnswerStruct):
    """The partitions in the order in which they would run."""

    partitions: list[PlannedPartitionAnswer]
    total_count: Count
    to_run: Count


def backfill_answer(found: Backfill) -> BackfillAnswer:
    """Return a backfill and how far it has come."""
    about, progress = found.about, found.progress
    return answer_from(
        BackfillAnswer,
        about,
        partitions=about.total,
        states={one.state: one.partitions for one in about.counts},
        done=progress.done,
        failed=progress.failed,
        active=progress.active,
        waiting=progress.waiting,
        rate_per_minute=progress.rate_per_minute,
        rest_seconds=progress.rest_seconds,
    )


def partition_answer(one: PartitionRow) -> BackfillPartitionAnswer:
    """Return a partition of a backfill and its run."""
    params = msgspec.Raw(one.params.encode())
    return answer_from(BackfillPartitionAnswer, one, params=params, partition=_raw(one.partition))


def plan_answer(plan: Sequence[Planned]) -> BackfillPlanAnswer:
    """Return the partitions that a backfill would have."""
    to_run = sum(one.will_run for one in plan)
    return BackfillPlanAnswer([_planned(one) for one in plan], len(plan), to_run)


def _planned(one: Planned) -> PlannedPartitionAnswer:
    partition = _raw(one.partition)
    return answer_from(
        PlannedPartitionAnswer, one, partition=partition, latest_run_id=one.latest_run
    )


def _raw(text: str | None) -> msgspec.Raw | None:
    return msgspec.Raw(text.encode()) if text else None
