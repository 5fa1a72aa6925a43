"""Whether jobs are fresh by terms that others state."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.terms import Counts, Freshness
from lineagegraph.store.freshness.freshness import SuccessRow, list_successes


class FreshnessQuestion(NamedTuple):
    """A job, the terms, the parts of a partition (`"name":"text"`), and when this was asked for."""

    job_key: str
    freshness: Freshness
    parts: tuple[str, ...]
    submitted: datetime


class Verdict(NamedTuple):
    """Whether a success meets the terms, and the latest one that there is."""

    is_fresh: bool
    latest: SuccessRow | None


def judge(
    tx: Transaction,
    questions: Sequence[FreshnessQuestion],
    *,
    zone: str,
    counts: Counts,
    now: datetime,
) -> list[Verdict]:
    """Answer all questions with one query; `zone` and `counts` are defaults of the terms."""
    rows = [_row(number, one, counts) for number, one in enumerate(questions)]
    found = {row.number: row for row in list_successes(tx, rows=rows, now=now)}
    return [
        _verdict(one, found.get(number), zone, counts, now) for number, one in enumerate(questions)
    ]


def _row(number: int, one: FreshnessQuestion, counts: Counts) -> dict[str, Any]:
    return {
        "number": number,
        "job_key": one.job_key,
        "counts": (one.freshness.counts or counts).value,
        "parts": [] if one.freshness.any_partition else list(one.parts),
    }


def _verdict(
    one: FreshnessQuestion, latest: SuccessRow | None, zone: str, counts: Counts, now: datetime
) -> Verdict:
    if latest is None:
        return Verdict(False, None)
    threshold = one.freshness.threshold(now, one.submitted, zone)
    return Verdict(counted(latest, one.freshness.counts or counts) >= threshold, latest)


def counted(success: SuccessRow, counts: Counts) -> datetime:
    """Return the time of a success that counts; without a data interval that is its end."""
    data_end = success.data_end if counts is Counts.DATA_END else None
    return data_end or success.ended_at
