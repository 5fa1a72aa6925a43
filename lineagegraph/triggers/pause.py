"""Pause all triggers: they start nothing until a time, or until they are resumed by hand."""

from collections.abc import Sequence
from datetime import datetime

from lineagegraph.errors import InvalidPause, NotFound
from lineagegraph.graph import Transaction
from lineagegraph.model.temporary import checked_end, checked_reason, in_utc
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.sensors import sensors
from lineagegraph.store.triggers import occurrences, pauses
from lineagegraph.store.triggers.occurrences import Due, TimedCondition
from lineagegraph.store.triggers.pauses import PauseRow, get_pause
from lineagegraph.text import format_local
from lineagegraph.triggers.occurrences import time_of
from lineagegraph.triggers.times import first_time

_ALL = "all"


def pause_all(
    tx: Transaction,
    reason: str,
    until: datetime | None = None,
    *,
    author: str | None = None,
    now: datetime | None = None,
) -> None:
    """Let no trigger start a run until a time, or until `resume_all`.

    A new pause replaces reason and end of the earlier one. Raises `InvalidPause` without a reason,
    and for an end in the past.
    """
    said = checked_reason(reason, author, InvalidPause)
    end = until and in_utc(until, InvalidPause)
    resume_due(tx, now=now)
    checked_end("a pause", pauses.merge_pause(tx, until=end, now=now, **said), InvalidPause)
    sensors.settle_demand(tx, ids=pauses.list_sensors(tx), now=now)
    audit(tx, "triggers.pause", _ALL, after=said | {"until": end and end.isoformat()})


def resume_all(tx: Transaction, *, now: datetime | None = None) -> None:
    """End the pause of all triggers; raise `NotFound` if there is none."""
    if not _end(tx, by_hand=True, now=now):
        raise NotFound("triggers are not paused: `lineagegraph trigger list` lists suspended ones")
    audit(tx, "triggers.resume", _ALL)


def resume_due(tx: Transaction, *, now: datetime | None = None) -> bool:
    """End a pause of all triggers that is over, and return whether there was one."""
    pause = get_pause(tx, now=now)
    if pause is None or not pause.is_over or not _end(tx, by_hand=False, now=now):
        return False
    audit(tx, "triggers.expire", _ALL, before=pause)
    return True


def outside_pause(tx: Transaction, due: Sequence[Due], now: datetime | None) -> list[Due]:
    """Return the occurrences that a pause of all triggers does not drop."""
    pause = get_pause(tx, now=now)
    if pause is None:
        return list(due)
    return [one for one in due if is_after(pause, time_of(one.occurred_at))]


def is_after(pause: PauseRow, at: datetime) -> bool:
    """Return whether a time is after a pause: it counts, also if no daemon has ended the pause."""
    return pause.is_over and pause.until is not None and at >= pause.until


def describe_pause(pause: PauseRow) -> str:
    """Return one line about a pause."""
    until = (
        f"until {format_local(pause.until)}" if pause.until else "until `lineagegraph resume --all`"
    )
    return (
        f"all triggers since {format_local(pause.since)} {until} by {pause.author}: {pause.reason}"
    )


def _first_time(condition: TimedCondition, at: datetime) -> datetime:
    """Return the first time after a pause; occurrences since its end have moved an absence's."""
    first = first_time(condition, at)
    if condition.operator != "ABSENT" or condition.next_at is None:
        return first
    return max(first, condition.next_at)


def _end(tx: Transaction, *, by_hand: bool, now: datetime | None) -> bool:
    """End the pause as each trigger is enabled: times that came meanwhile are not made up for.

    Those that were enabled after its end have their own times.
    """
    at = pauses.claim_end(tx, by_hand=by_hand, now=now)
    if at is None:
        return False
    pauses.set_resumed(tx, at=at)
    rows = [
        {"condition_id": one.condition_id, "next_at": _first_time(one, at)}
        for one in pauses.list_timed(tx, at=at)
    ]
    occurrences.set_next(tx, rows=rows)
    sensors.settle_demand(tx, ids=pauses.list_sensors(tx), now=now)
    return True
