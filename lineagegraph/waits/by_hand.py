"""Waits that a person settles, with a reason."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

from lineagegraph.errors import SettleRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.liveness.daemons import nudge, nudge_daemons
from lineagegraph.model.actor import LONGEST_AUTHOR, this_person
from lineagegraph.model.outbox.routes import Route
from lineagegraph.queries.sensors import MOST_WAITS, read_waits_of
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.sensors import manual_settles, sensors
from lineagegraph.store.sensors.sensor_views import SensorWait
from lineagegraph.triggers.react import MAX_EVENT_AGE
from lineagegraph.waits.answers import list_events
from lineagegraph.waits.conclude import conclude
from lineagegraph.waits.poke import Settled

_LONGEST_REASON = 1_000
# No settling of all waits of a run takes as long.
_SOON = timedelta(minutes=10)


class HandOutcome(StrEnum):
    """Outcome of a wait that a person settles."""

    SUCCESS = "success"
    FAILED = "failed"
    SKIPPED = "skipped"


def settle_wait(
    graph: Graph,
    settings: Settings,
    run_id: str,
    outcome: HandOutcome,
    reason: str,
    author: str | None = None,
) -> None:
    """End the open wait of a run and let the run continue; raise `SettleRefused` without one."""
    settled = graph.write(
        partial(settle_by_hand, max_event_age=settings.max_event_age, routes=settings.notify),
        run_id,
        outcome,
        _checked("a reason", reason, _LONGEST_REASON),
        _checked("an author", author or this_person(), LONGEST_AUTHOR),
    )
    nudge([one.address for one in settled.woken if one.address])
    nudge_daemons(graph)


def settle_open_waits(
    graph: Graph,
    settings: Settings,
    run: str,
    outcome: HandOutcome,
    reason: str,
    author: str | None = None,
    *,
    most: int = MOST_WAITS,
) -> Iterator[SensorWait]:
    """End the open waits of a run and its children, and yield each; `most` are read at once.

    Waits that begin meanwhile stay open: they may be of tasks that go on by this.
    """
    now = graph.read(get_time)
    while found := _open_waits(graph, run, now, most):
        for wait in found.values():
            try:
                settle_wait(graph, settings, wait.run_id, outcome, reason, author)
            except SettleRefused:
                # An answer, or another person, was first.
                if wait.run_id in _open_waits(graph, wait.run_id, now, most):
                    raise
            else:
                yield wait


def _open_waits(graph: Graph, run: str, now: datetime, most: int) -> dict[str, SensorWait]:
    found = [one.wait for one in read_waits_of(graph, run, most)]
    return {
        one.run_id: one
        for one in found
        if one.outcome is None
        and one.began_at
        # One that begins far in the future began before the clock was put back.
        and not now < one.began_at < now + _SOON
    }


def settle_by_hand(
    tx: Transaction,
    run_id: str,
    outcome: HandOutcome,
    reason: str,
    author: str,
    *,
    max_event_age: timedelta = MAX_EVENT_AGE,
    routes: Sequence[Route] = (),
    now: datetime | None = None,
) -> Settled:
    """End the open wait of a run in a transaction, with the entry of the audit log."""
    message = f"settled by {author}: {reason}"
    ended = manual_settles.settle_wait(
        tx, run_id=run_id, state=outcome.value, author=author, message=message, now=now
    )
    if ended is None:
        raise SettleRefused(
            f"run {run_id} has no open wait: `lineagegraph sensor why RUN` lists its waits"
        )
    after = {"outcome": outcome.value, "reason": reason, "author": author}
    audit(tx, "wait.settle", run_id, after=after)
    woken, started = conclude(
        tx, list(list_events(ended)), max_event_age=max_event_age, routes=routes, now=now
    )
    sensors.settle_demand(tx, ids=[ended.sensor_id], now=now)
    return Settled(waits=1, woken=tuple(woken), started=tuple(started))


def _checked(what: str, text: str, longest: int) -> str:
    said = " ".join(text.split())
    if not said or len(said) > longest:
        raise SettleRefused(f"{what} needs 1 to {longest} characters")
    return said
