"""Notify when jobs and datasets become stale or fresh again, once for each lapse."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import structlog

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.freshness.describe import describe_terms
from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.model.outbox.routes import Occasion, Route, wanted_occasions
from lineagegraph.outbox.notifications import Transition, list_taken, notify
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
# A lapse that was seen but not told: it may still be told, and its end may be.
_UNTOLD = "untold"
_LAPSED = (FreshState.STALE, _UNTOLD)
_AT_ONCE = 200
# What never succeeded was reported for no success.
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


def notify_freshness(graph: Graph, settings: Settings, now: datetime | None = None) -> int:
    """Notify of changes since the last call, and return their number.

    The same transaction records with the terms that the change was notified. A change that no
    route here takes is left to others.
    """
    routes = settings.notify
    if not wanted_occasions(routes) & {Occasion.STALE, Occasion.FRESH}:
        return 0
    found = read_standings(graph, settings.zone, now=now)
    changed = [part for one in found for part in one.lapses if _is_due(part)]
    due = _taken(graph, changed, routes)
    notified = 0
    for first in range(0, len(due), _AT_ONCE):
        part = with_causes(graph, settings.zone, due[first : first + _AT_ONCE], now)
        notified += graph.write(_notify, part, routes, now)
    _note_lapses(graph, changed, routes, now)
    return notified


def _is_due(one: Standing) -> bool:
    about = one.about
    is_newer = about.last_at is not None and about.last_at > (about.told_last or _BEFORE_ALL)
    if one.state is FreshState.STALE:
        return about.told != FreshState.STALE or is_newer
    return one.state is FreshState.FRESH and about.told in _LAPSED and is_newer


def _note_lapses(
    graph: Graph, changed: Sequence[Standing], routes: Sequence[Route], now: datetime | None
) -> None:
    """Record lapses of which only the end is taken here: it is told after a known lapse."""
    new = [
        one for one in changed if one.state is FreshState.STALE and one.about.told not in _LAPSED
    ]
    rows = _rows(_taken(graph, new, routes, Occasion.FRESH), _UNTOLD)
    if rows:
        graph.write(claim_told, rows=rows, now=now)


def _taken(
    graph: Graph,
    changed: Sequence[Standing],
    routes: Sequence[Route],
    occasion: Occasion | None = None,
) -> list[Standing]:
    """Return the changes that a route takes, or would take as another occasion."""
    if not changed:
        return []
    return graph.read(list_taken, changed, partial(_transition, occasion=occasion), routes)


def _notify(
    tx: Transaction, due: Sequence[Standing], routes: Sequence[Route], now: datetime | None
) -> int:
    claimed = set(claim_told(tx, rows=_rows(due), now=now))
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


def _rows(changed: Sequence[Standing], told: str | None = None) -> list[dict[str, Any]]:
    return sorted((_row(one, told) for one in changed), key=lambda row: str(row["key"]))


def _row(one: Standing, told: str | None) -> dict[str, Any]:
    last = one.about.last_at
    return {
        "key": _key(one),
        "terms_key": one.about.terms_key,
        "part": one.part,
        "state": told or one.state.value,
        "last_at": last and last.isoformat(),
    }


def _transition(one: Standing, occasion: Occasion | None = None) -> Transition:
    """Return the notification of a change.

    Each success allows one lapse: a clock that goes back notifies nothing twice.
    """
    about, last = one.about, one.about.last_at
    return Transition(
        occasion=occasion or _OCCASIONS[one.state],
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
