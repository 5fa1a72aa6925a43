"""Fail silent runs of other systems with the reason SILENT, until their producer's next event."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.liveness.contact import Contact
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.runs.facts import SILENT, RunFacts, decode_facts
from lineagegraph.reactions.commit import commit
from lineagegraph.reactions.end_runs import failure_event
from lineagegraph.settings import Settings
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.runs import silence
from lineagegraph.store.runs.silence import SilentRun, SilentRunRow

log = structlog.get_logger()
_MOST = 200


def fail_silent_runs(
    graph: Graph, settings: Settings, contact: Contact, now: datetime | None = None
) -> int:
    """Fail the runs that have been silent for too long, and return their number."""
    ages = {name: age.total_seconds() for name, age in settings.silent_after.items()}
    shortest = min(ages.values(), default=None)
    found = graph.read(
        silence.due_silent,
        ages=ages,
        shortest=shortest,
        inherit=settings.inherit_namespace,
        limit=_MOST,
        now=now,
    )
    # Asked after the read, which may have waited for the graph to come back.
    if not found or not contact.is_steady(graph.read(get_time)):
        return 0
    max_event_age = settings.max_event_age
    return sum(graph.write(_end, run, max_event_age, settings.notify, now) for run in found)


def _end(
    tx: Transaction,
    run: SilentRun,
    max_event_age: timedelta,
    routes: Sequence[Route],
    now: datetime | None,
) -> bool:
    """Fail a run and all open runs below it, which were silent for as long."""
    judged = silence.claim_silent(tx, id=run.id, seconds=run.seconds, now=now)
    if judged is None or not judged.is_silent:
        return False
    events = [_event(one, judged.now) for one in silence.list_open(tx, id=run.id)]
    commit(tx, extract(events), max_event_age=max_event_age, routes=routes, own=False, now=now)
    log.warning("run_silent", run=run.id, seconds=run.seconds)
    return True


def _event(run: SilentRunRow, now: datetime) -> dict[str, Any]:
    """Return a failure that counts until the run's next event."""
    since = decode_facts(run.facts, RunFacts).heard_last
    own = {"reason": SILENT, "silentSince": since}
    message = f"no event of it was received after {since}"
    return failure_event(run.id, run.namespace, run.name, now, own, message)
