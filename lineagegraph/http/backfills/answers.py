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

    id: Annotated[str, about("Id of the backfill.")]
    namespace: Annotated[str, about("Namespace of its job.")]
    job: Annotated[str, about("Full name of its job.")]
    state: Annotated[BackfillState, about("Its state; while it is PAUSED it starts no more runs.")]
    reason: Annotated[str | None, about("Reason of a pause by a daemon; null for others.")]
    which: WhichBody
    order: OrderBody
    concurrency: Annotated[int, msgspec.Meta(ge=1), about("Runs that may be in progress at once.")]
    stop_after: Annotated[int | None, about("Failures after which it pauses; null for never.")]
    created_at: Annotated[Timestamp, about("Time of the request.")]
    ended_at: Annotated[Timestamp | None, about("Its end; null before it.")]
    partitions: Annotated[Count, about("Number of its partitions.")]
    states: Annotated[
        dict[str, Count],
        about(
            "How many partitions are in each state: their run's, or UNSTARTED, SKIPPED or "
            "CANCELLED."
        ),
    ]
    done: Annotated[Count, about("Partitions that have ended, were skipped or were cancelled.")]
    failed: Annotated[Count, about("Partitions with a run that is FAILED or KILLED.")]
    active: Annotated[Count, about("Partitions with a run that is queued, waits or runs.")]
    waiting: Annotated[Count, about("Partitions that have no run yet.")]
    rate_per_minute: Annotated[
        float | None,
        about("Runs that ended each minute, from the first start to the last end; null before."),
    ]
    rest_seconds: Annotated[
        float | None, about("Seconds that the rest takes at that rate; null without a rate.")
    ]


class BackfillPartitionAnswer(AnswerStruct):
    """A partition of a backfill and its run."""

    number: Annotated[Count, about("Position in the order of running, from 0.")]
    params: Annotated[RawObject, about("Parameters of the run, by name.")]
    partition: Annotated[
        RawTexts | None, about("Values of the partition, by dimension; null without one.")
    ]
    state: Annotated[
        str, about("State of its run, or UNSTARTED, SKIPPED or CANCELLED before it has one.")
    ]
    run_id: Annotated[Uuid | None, about("Its run; null before it has one.")]
    started_at: Annotated[Timestamp | None, about("Start of the run; null before it.")]
    ended_at: Annotated[Timestamp | None, about("End of the run; null before it.")]
    reason: Annotated[
        str | None, about("Reason of the run's state, or of a skipped partition; null without one.")
    ]
    error: Annotated[str | None, about("Error of the run; null without one.")]


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
