"""Triggers, their firings and explanations as answers."""

from typing import Annotated, Any

import msgspec

from lineagegraph.http.plumbing.answers import (
    AnswerStruct,
    Count,
    RawObject,
    Timestamp,
    about,
    answer_from,
)
from lineagegraph.queries.triggers.describe_why import describe_waiting
from lineagegraph.queries.triggers.triggers import describe_consumed, reason_of
from lineagegraph.queries.triggers.why import CellStanding, ConditionStanding, Why
from lineagegraph.store.runs.history import FiringRow
from lineagegraph.store.triggers.catalog import TriggerRow, WholeTriggerRow
from lineagegraph.triggers.preview import Preview


class TriggerAnswer(AnswerStruct):
    """A trigger."""

    id: Annotated[str, about("Id of the trigger.")]
    name: Annotated[str | None, about("Name among the triggers of its job; null without one.")]
    namespace: Annotated[str | None, about("Namespace of the job that it starts.")]
    starts: Annotated[str | None, about("Full name of the job that it starts.")]
    text: Annotated[str | None, about("Its condition in words.")]
    enabled: Annotated[bool, about("Whether it fires; false if it is suspended.")]
    created_at: Annotated[Timestamp | None, about("Time at which it was stored.")]
    firings: Annotated[Count, about("Firings that are still stored.")]
    fired_at: Annotated[Timestamp | None, about("Time of the latest of these; null without any.")]


class TriggerDetailAnswer(TriggerAnswer):
    """A trigger with its rule."""

    suspended_at: Annotated[
        Timestamp | None, about("Time of its last suspension; null if it never was.")
    ]
    suspended_because: Annotated[
        str | None, about("Reason of a suspension that no person asked for.")
    ]
    origin: Annotated[
        str | None, about("Author of the rule: definition, schedule or request; null if unknown.")
    ]
    description: Annotated[str | None, about("Description for people; null without one.")]
    rule: Annotated[RawObject, about("The rule, as `trigger put` accepts it.")]


class FiringRunAnswer(AnswerStruct):
    """A run that a firing started."""

    id: Annotated[str, about("Id of the run.")]
    state: Annotated[str | None, about("State of the run; null before it has one.")]


class FiringAnswer(AnswerStruct):
    """One decision of a trigger."""

    key: Annotated[str, about("Key of the firing, for redrive.")]
    fired_at: Annotated[Timestamp | None, about("Time of the decision.")]
    state: Annotated[str | None, about("PENDING, LAUNCHED, HELD, ABORTED, DEAD_LETTER and so on.")]
    reason: Annotated[str, about("The occurrences that it consumed, in words.")]
    consumed: Annotated[list[str], about("Each of these in words.")]
    runs: Annotated[list[FiringRunAnswer], about("The runs that it started: its run and reruns.")]


class OccurrenceAnswer(AnswerStruct):
    """An occurrence of a condition that no firing consumed."""

    status: Annotated[str | None, about("State of the run, or the kind of occurrence.")]
    name: Annotated[str | None, about("Name of the job, dataset or event.")]
    subject: Annotated[str | None, about("Id of the run or event, or key of the version.")]
    at: Annotated[Timestamp, about("Time of the occurrence.")]
    stale: Annotated[str | None, about("Why it counts no more; null if it counts.")]


class ConditionAnswer(AnswerStruct):
    """A condition of a trigger; the tree is listed from its root, operands after operators."""

    depth: Annotated[Count, about("Operators above it.")]
    text: Annotated[str, about("The condition in words.")]
    operator: Annotated[str, about("Its kind in capitals, such as AND or STATUS.")]
    is_true: Annotated[bool, about("Whether it is true.")]
    missing: Annotated[str | None, about("What is missing; null if it is true, or below a NOT.")]
    next_at: Annotated[Timestamp | None, about("Next time of a schedule.")]
    total: Annotated[Count, about("Occurrences that count.")]
    happened: Annotated[list[OccurrenceAnswer], about("The newest occurrences.")]


class CellAnswer(AnswerStruct):
    """The condition of a trigger for one correlation value."""

    value: Annotated[str | None, about("The correlation value; null without one.")]
    conditions: Annotated[list[ConditionAnswer], about("The condition tree.")]


class WhyAnswer(AnswerStruct):
    """Why a trigger has fired or not."""

    at: Annotated[Timestamp, about("Time of the explanation.")]
    trigger: Annotated[str, about("Id of the trigger.")]
    text: Annotated[str | None, about("Its condition in words.")]
    enabled: Annotated[bool, about("Whether it fires now.")]
    cells: Annotated[list[CellAnswer], about("Its condition, for each correlation value.")]
    waiting: Annotated[list[str], about("Firings without a run, and why.")]
    refused: Annotated[list[str], about("What happened and did not count, newest first.")]
    last_firing: Annotated[FiringAnswer | None, about("Its latest firing until then.")]


class PreviewFiringAnswer(AnswerStruct):
    """A firing of a preview."""

    at: Annotated[Timestamp, about("Time at which it would have fired.")]
    value: Annotated[str | None, about("Correlation value; null without one.")]
    reason: Annotated[str, about("The occurrences in words.")]
    parameters: Annotated[dict[str, Any], about("Parameters of its run.")]
    trouble: Annotated[str | None, about("Why its run could not have started; null if it could.")]


class PreviewAnswer(AnswerStruct):
    """When a trigger would have fired."""

    since: Annotated[Timestamp, about("Begin of the replay.")]
    until: Annotated[Timestamp, about("End of the replay.")]
    happened: Annotated[Count, about("Occurrences in that time.")]
    total_count: Annotated[Count, about("Firings in that time.")]
    firings: Annotated[list[PreviewFiringAnswer], about("The firings, up to `limit`.")]
    refused: Annotated[list[str], about("What would not have counted, newest first.")]
    notes: Annotated[list[str], about("Limits of the preview.")]


class RedrivenAnswer(AnswerStruct):
    """The runs of firings that were redriven."""

    runs: Annotated[list[str], about("Ids of the runs that are queued.")]


def trigger_answer(row: TriggerRow) -> TriggerAnswer:
    """Return a trigger."""
    return answer_from(TriggerAnswer, row)


def trigger_detail(row: WholeTriggerRow) -> TriggerDetailAnswer:
    """Return a trigger with its rule."""
    return answer_from(TriggerDetailAnswer, row, rule=msgspec.Raw((row.rule or "{}").encode()))


def firing_answer(row: FiringRow) -> FiringAnswer:
    """Return a firing."""
    return answer_from(
        FiringAnswer,
        row,
        reason=reason_of(row),
        consumed=[describe_consumed(one) for one in row.consumed],
        runs=[answer_from(FiringRunAnswer, one) for one in row.started],
    )


def why_answer(why: Why) -> WhyAnswer:
    """Return the explanation of a trigger."""
    trigger, firings = why.trigger.trigger, why.trigger.firings
    return WhyAnswer(
        at=why.at,
        trigger=trigger.id,
        text=trigger.text,
        enabled=trigger.enabled,
        cells=[_cell(one) for one in why.cells],
        waiting=[describe_waiting(one) for one in why.waiting],
        refused=[one.text or "" for one in why.refused],
        last_firing=firing_answer(firings[0]) if firings else None,
    )


def preview_answer(found: Preview, limit: int) -> PreviewAnswer:
    """Return a preview with its first firings."""
    return answer_from(
        PreviewAnswer,
        found,
        total_count=len(found.firings),
        firings=[answer_from(PreviewFiringAnswer, one) for one in found.firings[:limit]],
        refused=list(found.refused),
        notes=list(found.notes),
    )


def _cell(cell: CellStanding) -> CellAnswer:
    return CellAnswer(value=cell.value, conditions=_conditions(cell.condition, 0))


def _conditions(one: ConditionStanding, depth: int) -> list[ConditionAnswer]:
    happened = [answer_from(OccurrenceAnswer, each) for each in one.happened]
    own = answer_from(ConditionAnswer, one, depth=depth, happened=happened)
    below = (each for operand in one.operands for each in _conditions(operand, depth + 1))
    return [own, *below]
