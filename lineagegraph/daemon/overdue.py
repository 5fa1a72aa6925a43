"""Notify of runs that take much longer than usual, and of runs that no worker takes."""

from datetime import datetime

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.outbox.routes import Occasion, wanted_occasions
from lineagegraph.outbox.notifications import Transition, notify
from lineagegraph.settings import Settings
from lineagegraph.store.outbox import notifications
from lineagegraph.store.outbox.notifications import OverdueRun
from lineagegraph.text import format_age

# Fewer completed runs say nothing about how long is usual.
_LEAST, _COMPARED = 3, 10


def notify_overdue(graph: Graph, settings: Settings, now: datetime | None = None) -> None:
    """Queue notifications of slow and late runs: each once, however often it is called."""
    wanted = wanted_occasions(settings.notify)
    if wanted & {Occasion.SLOW, Occasion.LATE}:
        graph.write(_notify, settings, now)


def _notify(tx: Transaction, settings: Settings, now: datetime | None) -> None:
    slow = notifications.list_slow(
        tx,
        slow_after=settings.slow_after,
        slow_factor=settings.slow_factor,
        least=_LEAST,
        compared=_COMPARED,
        now=now,
    )
    late = notifications.list_late(tx, late_after=settings.late_after, now=now)
    transitions = [
        *(_transition(run, Occasion.SLOW, _how_slow(run)) for run in slow),
        *(_transition(run, Occasion.LATE, _how_late(run)) for run in late),
    ]
    notify(tx, transitions, settings.notify, now=now)


def _transition(run: OverdueRun, occasion: Occasion, message: str) -> Transition:
    return Transition(
        occasion=occasion,
        about="run",
        id=run.id,
        namespace=run.namespace,
        job=run.job,
        at=run.since,
        message=message,
        is_top=run.is_top,
        # An attempt later on may be slow or late again.
        turn=run.since.isoformat(),
    )


def _how_slow(run: OverdueRun) -> str:
    usual = format_age(run.longest or 0)
    return f"it has run for {format_age(run.seconds)}, the newest completed runs at most {usual}"


def _how_late(run: OverdueRun) -> str:
    return f"it has waited {format_age(run.seconds)} for a worker"
