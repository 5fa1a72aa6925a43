"""Verdicts of assertions about a dataset, and when they make an update count as passed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import groupby

import msgspec


class QualityVerdict(StrEnum):
    """The result of an assertion; `WARNED` is a failure of severity `warn`, which blocks none."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"

    @property
    def rank(self) -> int:
        """How bad it is."""
        return list(QualityVerdict).index(self)

    @staticmethod
    def of_rank(rank: int) -> QualityVerdict:
        """Return the verdict that is so bad."""
        return list(QualityVerdict)[rank]


class TimedVerdict(msgspec.Struct, frozen=True):
    """A verdict about an update, with its time and the run that gave it, if any."""

    assertion: str
    verdict: QualityVerdict
    at: datetime
    run_id: str | None


class Pass(msgspec.Struct, frozen=True):
    """The moment from which an update counted as passed, and the run whose verdict decided it."""

    at: datetime
    run_id: str | None


def first_pass(
    written_at: datetime, verdicts: Sequence[TimedVerdict], awaited: Iterable[str]
) -> Pass | None:
    """Return when all assertions about an update first had passed, or None.

    `awaited` are assertions that must have a verdict about it; without any verdict it has not
    passed.
    """
    known: dict[str, QualityVerdict] = dict.fromkeys(awaited, QualityVerdict.FAILED)
    for at, some in groupby(sorted(verdicts, key=_order), key=lambda one: one.at):
        now = list(some)
        known |= {one.assertion: one.verdict for one in now}
        if QualityVerdict.FAILED not in known.values():
            late = at > written_at
            return Pass(at if late else written_at, now[-1].run_id if late else None)
    return None


def has_passed(verdicts: Sequence[TimedVerdict], awaited: Iterable[str]) -> bool:
    """Return whether the latest verdict of each assertion about an update lets it pass."""
    latest = {one.assertion: one.verdict for one in sorted(verdicts, key=_order)}
    return (
        bool(latest)
        and QualityVerdict.FAILED not in latest.values()
        and latest.keys() >= set(awaited)
    )


def _order(one: TimedVerdict) -> tuple[datetime, int]:
    return one.at, one.verdict.rank
