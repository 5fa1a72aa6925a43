"""From what happened to the runs that it starts, within the transaction in which it happened.

The triggers concerned are locked before anything is read, so what holds is decided once; the
firing's key says for which generation of its trigger it is, and is unique.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from lineagegraph.graph import Transaction
from lineagegraph.model.canonical import canonical_hash
from lineagegraph.model.ids import new_id
from lineagegraph.scheduling.cron import last_time, next_time
from lineagegraph.store import conditions, firings, triggers
from lineagegraph.store.firings import Firing
from lineagegraph.store.triggers import DueTrigger, Occurrence

NEWS = timedelta(hours=1)


def react(
    tx: Transaction, run_ids: Iterable[str], *, news: timedelta = NEWS, now: datetime | None = None
) -> list[Firing]:
    """Fire what the new states of runs, or the datasets that they wrote, make true.

    What ended longer than `news` ago, or before the rule was made, fires nothing.
    """
    ids = sorted(set(run_ids))
    watching = triggers.claim_watchers(tx, run_ids=ids)
    if not watching:
        return []
    conditions.link_statuses(tx, run_ids=ids, trigger_ids=watching, news=news, now=now)
    conditions.link_writes(tx, run_ids=ids, trigger_ids=watching, news=news, now=now)
    return _fire(tx, watching, now)


def react_to_crons(tx: Transaction, *, now: datetime | None = None) -> list[Firing]:
    """Fire what scheduled times make true; of several that were missed, the last counts."""
    ids = sorted({cron.trigger_id for cron in conditions.due_crons(tx, now=now)})
    locked = triggers.claim_triggers(tx, ids=ids)
    due = [cron for cron in conditions.due_crons(tx, now=now) if cron.trigger_id in locked]
    rows = [
        {
            "id": cron.id,
            "scheduled_at": last_time(cron.cron, cron.zone, cron.next_at, cron.now),
            "next_at": next_time(cron.cron, cron.zone, cron.now),
        }
        for cron in due
    ]
    conditions.link_crons(tx, rows=rows)
    return _fire(tx, locked, now)


def react_to_missed(
    tx: Transaction, since: timedelta, *, news: timedelta = NEWS, now: datetime | None = None
) -> list[Firing]:
    """Fire what the states of the last `since` make true and nobody has noted."""
    missed = conditions.due_statuses(tx, since=since, now=now)
    missed += conditions.due_writes(tx, since=since, now=now)
    return react(tx, missed, news=news, now=now) if missed else []


def _fire(tx: Transaction, trigger_ids: list[str], now: datetime | None) -> list[Firing]:
    conditions.settle_conditions(tx, trigger_ids=trigger_ids)
    due = triggers.due_triggers(tx, ids=trigger_ids)
    rows = [
        {
            "trigger_id": trigger.id,
            "key": _key(trigger),
            "generation": trigger.generation,
            "reason": _reason(trigger.occurrences),
            "run_id": new_id(),
        }
        for trigger in due
    ]
    return firings.claim_firings(tx, rows=rows, now=now)


def _key(trigger: DueTrigger) -> str:
    return canonical_hash([trigger.id, None, trigger.generation])[:32]


def _reason(occurrences: list[Occurrence]) -> str:
    return " and ".join(f"{said.text} at {said.occurred_at:%F %T%z}" for said in occurrences)
