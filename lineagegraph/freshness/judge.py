"""Whether jobs are fresh by terms that others state."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.terms import Counts, Freshness
from lineagegraph.store.freshness.freshness import (
    SuccessRow,
    list_changed_inputs,
    list_successes,
)


class FreshnessQuestion(NamedTuple):
    """A job, the terms, the parts of a partition (`"name":"text"`), and when this was asked for."""

    job_key: str
    freshness: Freshness
    parts: tuple[str, ...]
    submitted: datetime


class Verdict(NamedTuple):
    """Whether a success meets the terms, and the latest one that there is.

    `is_young` if it does so by its age, not only because its inputs are unchanged.
    """

    is_young: bool
    latest: SuccessRow | None
    is_unchanged: bool = False

    @property
    def is_fresh(self) -> bool:
        """Whether a success meets the terms."""
        return self.is_young or self.is_unchanged


def judge(
    tx: Transaction,
    questions: Sequence[FreshnessQuestion],
    *,
    zone: str,
    counts: Counts,
    now: datetime,
) -> list[Verdict]:
    """Answer all questions with one query; `zone` and `counts` are defaults of the terms.

    A second query compares the inputs of successes that are too old, where the terms ask for this.
    """
    asked = [_successes(one, counts) for one in questions]
    # Waits of many submissions ask for the same success: it is read once.
    numbers = {one: number for number, one in enumerate(dict.fromkeys(asked))}
    rows = [one._asdict() | {"number": number} for one, number in numbers.items()]
    found = {row.number: row for row in list_successes(tx, rows=rows, now=now)}
    verdicts = [
        _verdict(one, found.get(numbers[of]), zone, counts, now)
        for one, of in zip(questions, asked, strict=True)
    ]
    return _compare_inputs(tx, questions, verdicts)


def _compare_inputs(
    tx: Transaction, questions: Sequence[FreshnessQuestion], verdicts: list[Verdict]
) -> list[Verdict]:
    old = {
        number: verdict.latest.run_id
        for number, (one, verdict) in enumerate(zip(questions, verdicts, strict=True))
        if one.freshness.unchanged and verdict.latest and not verdict.is_young
    }
    rows = list_changed_inputs(tx, ids=sorted(set(old.values())))
    unchanged = {row.run_id for row in rows if not (row.changed or row.has_new_code)}
    return [
        verdict._replace(is_unchanged=old.get(number) in unchanged)
        for number, verdict in enumerate(verdicts)
    ]


class _Successes(NamedTuple):
    """The successes of a job in a partition, by the time of them that counts."""

    job_key: str
    counts: str
    parts: tuple[str, ...]


def _successes(one: FreshnessQuestion, counts: Counts) -> _Successes:
    parts = () if one.freshness.any_partition else one.parts
    return _Successes(one.job_key, (one.freshness.counts or counts).value, parts)


def _verdict(
    one: FreshnessQuestion, latest: SuccessRow | None, zone: str, counts: Counts, now: datetime
) -> Verdict:
    if latest is None:
        return Verdict(False, None)
    threshold = one.freshness.threshold(now, one.submitted, zone)
    reached = counted(latest, one.freshness.counts or counts)
    # A run that was skipped because its inputs were unchanged confirms the success before it.
    return Verdict(max(reached, latest.confirmed_at or reached) >= threshold, latest)


def counted(success: SuccessRow, counts: Counts) -> datetime:
    """Return the time of a success that counts; without a data interval that is its end."""
    data_end = success.data_end if counts is Counts.DATA_END else None
    return data_end or success.ended_at
