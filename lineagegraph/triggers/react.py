"""Evaluate triggers after a change and start their runs, in the same transaction.

The `due_` query of each kind of condition finds the concerned triggers, set-wise for all of them.
They are locked before their cells change, so each truth is decided once; a firing's key contains
the generation of its cell and is unique.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.sensors.end_waits import end_waits
from lineagegraph.store.runs import runs
from lineagegraph.store.triggers import occurrences, triggers
from lineagegraph.store.triggers.occurrences import Due
from lineagegraph.store.triggers.pauses import get_pause
from lineagegraph.triggers.evaluate import note_refused
from lineagegraph.triggers.occurrences import Refused, refuse_ahead, time_of, to_occurrence
from lineagegraph.triggers.passes import due_passes
from lineagegraph.triggers.pause import outside_pause
from lineagegraph.triggers.reset import fire_times, record_and_fire
from lineagegraph.triggers.retry import rerun_failed
from lineagegraph.triggers.start import Started

MAX_EVENT_AGE = timedelta(hours=1)
_AT_ONCE = 100
_MOST_ROUNDS = 50


def react(
    tx: Transaction,
    run_ids: Iterable[str],
    *,
    judged: Sequence[str] = (),
    max_event_age: timedelta = MAX_EVENT_AGE,
    now: datetime | None = None,
) -> list[Started]:
    """Fire the triggers on new states of runs and on the datasets that they wrote.

    `judged` are the keys of datasets with new verdicts of assertions. What ended longer than
    `max_event_age` ago, or before the rule was made, fires no trigger; nor does what will end later
    than that from now.
    """
    ids = sorted(set(run_ids))
    concerned = runs.settle_judged(tx, run_ids=ids, now=now)
    if concerned is None:
        return _judge(tx, due_passes(tx, [], judged, max_event_age=max_event_age, now=now), now)
    if concerned.waits:
        end_waits(tx, ids, only_ended=True, now=now)
    due: list[Due] = []
    if concerned.statuses:
        due += occurrences.due_statuses(tx, run_ids=ids, max_event_age=max_event_age, now=now)
    if concerned.writes:
        due += occurrences.due_writes(tx, run_ids=ids, max_event_age=max_event_age, now=now)
    if concerned.writes or judged:
        written = ids if concerned.writes else []
        due += due_passes(tx, written, judged, max_event_age=max_event_age, now=now)
    if concerned.hops:
        due += _due_upstream(tx, ids, concerned.hops, max_event_age, now)
    started = rerun_failed(tx, ids, now) if concerned.reruns else []
    return started + _judge(tx, due, now)


def react_to_events(
    tx: Transaction,
    ids: Sequence[str],
    *,
    max_event_age: timedelta = MAX_EVENT_AGE,
    now: datetime | None = None,
) -> list[Started]:
    """Fire the triggers on external events."""
    return _judge(
        tx, occurrences.due_events(tx, ids=list(ids), max_event_age=max_event_age, now=now), now
    )


def react_to_times(tx: Transaction, *, now: datetime | None = None) -> list[Started]:
    """Fire the triggers on due times, each scheduled time on its own."""
    if get_pause(tx, now=now):
        return []
    ids = sorted({due.trigger_id for due in occurrences.due_times(tx, now=now)})
    locked = set(triggers.claim_triggers(tx, ids=ids))
    return fire_times(tx, locked, now)


def react_to_missed(
    graph: Graph,
    *,
    max_event_age: timedelta = MAX_EVENT_AGE,
    most: int = _AT_ONCE,
    now: datetime | None = None,
) -> list[Started]:
    """Fire the triggers on runs that were not evaluated yet, such as runs that moved.

    Each transaction evaluates at most `most` runs, so that none locks their triggers for long.
    """
    started: list[Started] = []
    for _ in range(_MOST_ROUNDS):
        missed = graph.write(_react_to_some, most, max_event_age, now)
        started += missed.started
        if missed.runs < most:
            break
    return started


class _Missed(msgspec.Struct, frozen=True):
    runs: int
    started: list[Started]


def _react_to_some(
    tx: Transaction, most: int, max_event_age: timedelta, now: datetime | None
) -> _Missed:
    ids = runs.due_unjudged(tx, most=most)
    return _Missed(len(ids), react(tx, ids, max_event_age=max_event_age, now=now))


def _judge(tx: Transaction, due: Sequence[Due], now: datetime | None) -> list[Started]:
    due = outside_pause(tx, due, now) if due else []
    if not due:
        return []
    locked = set(triggers.claim_triggers(tx, ids=sorted({one.trigger_id for one in due})))
    mine = [one for one in due if one.trigger_id in locked]
    refused = [refuse_ahead(one) for one in mine if one.is_ahead]
    due = [one for one in mine if not one.is_ahead]
    present = [one for one in due if one.operator == "ABSENT"]
    occurrences.settle_present(tx, rows=_latest(present), now=now)
    fresh = [one for one in due if one.operator == "FRESH"]
    begun = set(occurrences.settle_fresh(tx, rows=_latest(fresh), now=now))
    rows: list[dict[str, Any]] = []
    for one in due:
        if one.operator != "ABSENT" and (one.operator != "FRESH" or one.condition_id in begun):
            found = to_occurrence(one)
            refused.append(found) if isinstance(found, Refused) else rows.append(found)
    note_refused(tx, refused, now)
    return record_and_fire(tx, rows, now)


def _latest(due: Sequence[Due]) -> list[dict[str, Any]]:
    """Return the latest occurrence of each condition."""
    in_order = sorted(due, key=lambda one: time_of(one.occurred_at))
    latest = {one.condition_id: one for one in in_order}
    return [
        {"condition_id": key, "occurred_at": one.occurred_at} for key, one in sorted(latest.items())
    ]


def _due_upstream(
    tx: Transaction, run_ids: list[str], most: int, max_event_age: timedelta, now: datetime | None
) -> list[Due]:
    """Walk from the runs' jobs to those that they feed, as far as any condition reaches."""
    here = occurrences.list_origins(tx, run_ids=run_ids)
    seen = {(job.run_id, job.job_key) for job in here}
    rows: list[dict[str, Any]] = []
    for hops in range(1, most + 1):
        found = occurrences.list_fed(
            tx, rows=[{"run_id": job.run_id, "job_key": job.job_key} for job in here]
        )
        here = [job for job in found if (job.run_id, job.job_key) not in seen]
        seen |= {(job.run_id, job.job_key) for job in here}
        rows += [{"run_id": job.run_id, "job_key": job.job_key, "hops": hops} for job in here]
    return occurrences.due_upstream(tx, rows=rows, max_event_age=max_event_age, now=now)
