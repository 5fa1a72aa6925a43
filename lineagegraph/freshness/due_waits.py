"""Due waits of tasks, evaluated in one round: one query for any number of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lineagegraph.freshness.judge import FreshnessQuestion, judge
from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.terms import Counts, Freshness
from lineagegraph.model.typed import decode_json
from lineagegraph.store.freshness import waits
from lineagegraph.store.freshness.waits import DueWait, Woken


def end_due_waits(
    tx: Transaction, *, zone: str, counts: Counts, now: datetime | None = None
) -> list[Woken]:
    """End the waits whose job is fresh, whose lease is free or whose time is over.

    Returns the runs of which a task goes on; those that no process carries out are queued again.
    """
    due = waits.due_waits(tx, now=now)
    if not due:
        return []
    asked = [(one, question) for one in due if (question := _question(one))]
    questions = [question for _, question in asked]
    verdicts = judge(tx, questions, zone=zone, counts=counts, now=due[0].now)
    fresh = [one for (one, _), verdict in zip(asked, verdicts, strict=True) if verdict.is_fresh]
    return waits.settle_waits(tx, rows=_rows(due, fresh), now=now)


def _question(one: DueWait) -> FreshnessQuestion | None:
    if one.freshness is None or one.submitted_at is None:
        return None
    terms = decode_json(one.freshness, into=Freshness)
    return FreshnessQuestion(one.job_key, terms, tuple(one.parts or ()), one.submitted_at)


def _rows(due: Sequence[DueWait], fresh: Sequence[DueWait]) -> list[dict[str, Any]]:
    met = {id(one) for one in fresh}
    return [
        {
            "waits": one.waits,
            "job_key": one.job_key,
            "kind": one.kind,
            "is_met": id(one) in met if one.freshness else one.is_free,
        }
        for one in due
    ]
