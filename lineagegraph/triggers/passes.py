"""Dataset versions that passed all assertions, as occurrences."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.verdicts import first_pass, has_passed
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.triggers import occurrences
from lineagegraph.store.triggers.occurrences import Due, TestedVersion
from lineagegraph.triggers.occurrences import time_of


def due_passes(
    tx: Transaction,
    writers: Sequence[str],
    judged: Sequence[str],
    *,
    max_event_age: timedelta,
    now: datetime | None,
) -> list[Due]:
    """Return the updates of datasets that have passed, for the conditions that ask for it.

    The datasets are those that the runs `writers` wrote, and those of the keys `judged`. A pass
    longer than `max_event_age` ago is none.
    """
    if not (writers or judged):
        return []
    found = occurrences.due_passes(tx, writers=list(writers), judged=list(judged))
    if not found:
        return []
    at_present = now or get_time(tx)
    since, until = at_present - max_event_age, at_present + max_event_age
    due = [(one, passed_at(one)) for one in found if has_passed(one.verdicts, one.awaited)]
    return [as_passed(one.due, at) for one, at in due if at is not None and since <= at <= until]


def passed_at(tested: TestedVersion) -> datetime | None:
    """Return when a version first had passed."""
    passed = first_pass(time_of(tested.due.occurred_at), tested.verdicts, tested.awaited)
    return passed.at if passed else None


def as_passed(due: Due, at: datetime) -> Due:
    """Return an update as it counts from its pass on; its freshness counts from its writing."""
    if due.operator == "FRESH":
        return due
    return msgspec.structs.replace(due, occurred_at=at.isoformat())
