"""Start the runs of firings: their limits, their parameters and the run itself."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, time
from typing import Any

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.constraint import Otherwise, TimeRange
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.store.triggers import firings
from lineagegraph.store.triggers.firings import DueFiring, Limit, Payload
from lineagegraph.store.triggers.schedules import list_lacking
from lineagegraph.triggers.arguments import MissingArgument, map_arguments


class Started(msgspec.Struct, frozen=True):
    """A firing and its queued run; None if it is held or was given up."""

    key: str
    trigger_id: str
    run_id: str | None
    reason: str


def start(tx: Transaction, fired: Sequence[dict[str, Any]], now: datetime | None) -> list[Started]:
    """Start the runs of new firings."""
    keys = [row["key"] for row in fired]
    found = {one.key: one for one in start_firings(tx, keys, now)}
    return [
        Started(
            row["key"],
            row["trigger_id"],
            found[row["key"]].run_id if row["key"] in found else None,
            row["reason"],
        )
        for row in fired
    ]


def start_firings(tx: Transaction, keys: Sequence[str], now: datetime | None) -> list[Started]:
    """Start the runs of firings that start nothing yet, one after the other for each job."""
    waiting = firings.claim_jobs(tx, keys=list(keys))
    free = [one for one in waiting if not one.limited]
    started = _start_all(tx, free, now)
    for one in waiting:
        if one.limited and not _keep_back(tx, one, now):
            started += _start_all(tx, [one], now)
    return started


def _start_all(tx: Transaction, due: Sequence[DueFiring], now: datetime | None) -> list[Started]:
    payloads: dict[str, list[Payload]] = defaultdict(list)
    for payload in firings.list_payloads(tx, keys=[one.key for one in due if one.mapped]):
        payloads[payload.key].append(payload)
    rows: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    for one in due:
        try:
            params = _params(one, payloads[one.key])
        except MissingArgument as error:
            failed.append({"key": one.key, "state": "DEAD_LETTER", "text": str(error)})
            continue
        rows.append({"key": one.key, "run_id": new_id(), "params": params, "delay": 0.0})
    firings.merge_runs(tx, rows=rows, now=now)
    firings.set_states(tx, rows=failed, now=now)
    known = {one.key: one for one in due}
    return [
        Started(row["key"], known[row["key"]].trigger_id, row["run_id"], known[row["key"]].reason)
        for row in rows
    ]


def _params(due: DueFiring, payloads: Sequence[Payload]) -> str | None:
    if not due.rule:
        return None
    rule = read_stored(due.rule)
    values = rule.properties | map_arguments(rule, payloads)
    return json.dumps(values) if values else None


def _keep_back(tx: Transaction, due: DueFiring, now: datetime | None) -> bool:
    """Hold or give up a firing whose constraints do not allow it now."""
    limits = [
        *firings.list_limits(tx, key=due.key, now=now),
        *_list_closed(tx, due.key, now),
        *list_lacking(tx, key=due.key),
    ]
    if not limits:
        return False
    delays = [limit for limit in limits if limit.kind == "delay"]
    # What does not hold yet may hold once the delay is over.
    limits = delays or limits
    aborted = [limit for limit in limits if limit.otherwise == Otherwise.ABORT]
    row = {
        "key": due.key,
        "state": "ABORTED" if aborted else "HELD",
        "text": ", and ".join(limit.text for limit in aborted or limits),
        "until": None if aborted else _until(limits),
    }
    firings.set_states(tx, rows=[row], now=now)
    return True


def _list_closed(tx: Transaction, key: str, now: datetime | None) -> Iterator[Limit]:
    """Yield the time ranges that do not include the time now."""
    for one in firings.list_time_ranges(tx, key=key, now=now):
        start, end = map(time.fromisoformat, (one.start, one.end))
        until = TimeRange(start=start, end=end, zone=one.zone).next_start(one.now)
        if until:
            text = f"it is not between {one.start} and {one.end} ({one.zone})"
            yield Limit("time_range", one.otherwise, text, until)


def _until(limits: Sequence[Limit]) -> datetime | None:
    """Return before which time it makes no sense to ask again."""
    times = [limit.until for limit in limits if limit.until]
    return max(times) if times else None
