"""Scheduled times that came, as rows for the cells in which they count."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.store.triggers import occurrences
from lineagegraph.store.triggers.occurrences import DueTime
from lineagegraph.triggers.occurrences import time_of
from lineagegraph.triggers.times import last_of_many, take_times


def take_turns(
    tx: Transaction, trigger_ids: Collection[str], now: datetime | None
) -> list[list[dict[str, Any]]]:
    """Take the due times of locked triggers: each turn has the next time of every trigger.

    If one condition has more than are taken at once, its trigger's others wait for it.
    """
    due = [one for one in occurrences.due_times(tx, now=now) if one.trigger_id in trigger_ids]
    until: dict[str, datetime] = {}
    for one in due:
        if (last := last_of_many(one)) is not None:
            until[one.trigger_id] = min(last, until.get(one.trigger_id, last))
    taken = [(one, take_times(one, until.get(one.trigger_id))) for one in due]
    nexts = [{"condition_id": one.condition_id, "next_at": times.next_at} for one, times in taken]
    occurrences.set_next(tx, rows=nexts)
    return _turns(row for one, times in taken for row in _scheduled(one, times.times))


def _turns(rows: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    turns: dict[int, list[dict[str, Any]]] = {}
    for _, own in groupby(sorted(rows, key=_trigger_and_time), itemgetter("trigger_id")):
        for turn, (_, together) in enumerate(groupby(own, _trigger_and_time)):
            turns.setdefault(turn, []).extend(together)
    return list(turns.values())


def _trigger_and_time(row: Mapping[str, Any]) -> tuple[str, datetime]:
    return row["trigger_id"], time_of(row["occurred_at"])


def _scheduled(due: DueTime, times: Sequence[datetime]) -> list[dict[str, Any]]:
    status = "ABSENT" if due.operator == "ABSENT" else "DUE"
    return [
        {
            "trigger_id": due.trigger_id,
            "condition_id": due.condition_id,
            "cell_id": due.trigger_id,
            "cell_value": None,
            "key": f"{due.condition_id} {time.isoformat()} {status}",
            "status": status,
            "part": time.isoformat(),
            "occurred_at": time.isoformat(),
        }
        for time in times
    ]
