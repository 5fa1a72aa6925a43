"""Notify when jobs and datasets become stale or fresh again, once for each lapse."""

from collections.abc import Container, Sequence
from datetime import UTC, datetime
from typing import Any

import structlog

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.freshness.describe import describe_terms
from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.model.outbox.routes import Occasion, Route, wanted_occasions
from lineagegraph.outbox.notifications import Transition, notify
from lineagegraph.queries.freshness.freshness import (
    Standing,
    describe_staleness,
    read_standings,
    with_causes,
)
from lineagegraph.settings import Settings
from lineagegraph.store.freshness.terms import claim_told
from lineagegraph.text import format_moment

log = structlog.get_logger()
_OCCASIONS = {FreshState.STALE: Occasion.STALE, FreshState.FRESH: Occasion.FRESH}
_AT_ONCE = 200
# What never succeeded was reported for no success.
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


def notify_freshness(graph: Graph, settings: Settings, now: datetime | None = None) -> int:
    """Notify of changes since the last call, and return their number.

    The same transaction records with the terms that the change was notified. Without a route of
    its own for them it leaves them to others.
    """
    wanted = wanted_occasions(settings.notify)
    if not wanted & {Occasion.STALE, Occasion.FRESH}:
        return 0
    found = read_standings(graph, settings.zone, now=now)
    lapses = [part for one in found for part in one.lapses]
    due = [one for one in lapses if _is_due(one) and _is_wanted(one, wanted)]
    notified = 0
    for first in range(0, len(due), _AT_ONCE):
        part = with_causes(graph, settings.zone, due[first : first + _AT_ONCE], now)
        notified += graph.write(_notify, part, settings.notify, now)
    return notified


def _is_due(one: Standing) -> bool:
    about = one.about
    is_newer = about.last_at is not None and about.last_at > (about.told_last or _BEFORE_ALL)
    if one.state is FreshState.STALE:
        return about.told != FreshState.STALE or is_newer
    return one.state is FreshState.FRESH and about.told == FreshState.STALE and is_newer


def _is_wanted(one: Standing, wanted: Container[Occasion]) -> bool:
    """Return whether a change is to be told, or known before another one is told."""
    return one.state is FreshState.STALE or _OCCASIONS[one.state] in wanted


def _notify(
    tx: Transaction, due: Sequence[Standing], routes: Sequence[Route], now: datetime | None
) -> int:
    rows = sorted((_row(one) for one in due), key=lambda row: str(row["key"]))
    claimed = set(claim_told(tx, rows=rows, now=now))
    mine = [one for one in due if _key(one) in claimed]
    notify(tx, [_transition(one) for one in mine], routes, now=now)
    for one in mine:
        log.warning(
            "freshness",
            node=one.node,
            part=one.part,
            state=one.state.value,
            why=describe_staleness(one),
        )
    return len(mine)


def _key(one: Standing) -> str:
    return one.about.terms_key if one.part is None else f"{one.about.terms_key} {one.part}"


def _row(one: Standing) -> dict[str, Any]:
    last = one.about.last_at
    return {
        "key": _key(one),
        "terms_key": one.about.terms_key,
        "part": one.part,
        "state": one.state.value,
        "last_at": last and last.isoformat(),
    }


def _transition(one: Standing) -> Transition:
    """Return the notification of a change.

    Each success allows one lapse: a clock that goes back notifies nothing twice.
    """
    about, last = one.about, one.about.last_at
    return Transition(
        occasion=_OCCASIONS[one.state],
        about="job" if about.is_job else "dataset",
        id=one.node,
        namespace=about.namespace,
        job=about.name,
        at=one.judged.since or about.set_at,
        reason=one.state.value.upper(),
        message=_message(one),
        turn=" ".join(filter(None, (last.isoformat() if last else "", one.part))),
    )


def _message(one: Standing) -> str:
    terms = describe_terms(one.about.terms)
    last = one.about.last_at
    known = f"last success {format_moment(last)}" if last else "never succeeded"
    whose = "" if one.part is None else f"{one.about.per} {one.part}: "
    text = f"{whose}{known}, terms: {terms}"
    why = describe_staleness(one)
    return f"{text}; {why}" if why else text
