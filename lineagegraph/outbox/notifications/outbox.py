"""From transitions to notifications, in the transaction that brought them."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_hash, dataset_key
from lineagegraph.model.names.owners import Owners, read_owners
from lineagegraph.model.outbox.routes import Route
from lineagegraph.outbox.notifications.transition import Transition
from lineagegraph.store.outbox import notifications

LONGEST = 2000
S = TypeVar("S")


def notify(
    tx: Transaction,
    transitions: Sequence[Transition],
    routes: Sequence[Route],
    *,
    now: datetime | None = None,
) -> None:
    """Put each transition into the outbox, once for each channel that a route leads it to."""
    owners = _owners(tx, transitions) if routes else {}
    rows = {
        row["key"]: row
        for transition in transitions
        for mine in [owners.get((transition.namespace, transition.job), ())]
        for channel in _channels(transition, mine, routes)
        for row in [_row(transition, channel) | {"owners": list(mine) or None}]
    }
    notifications.merge_notifications(tx, rows=[rows[key] for key in sorted(rows)], now=now)


def list_taken(
    tx: Transaction,
    changes: Iterable[S],
    transition_of: Callable[[S], Transition],
    routes: Sequence[Route],
) -> list[S]:
    """Return the changes whose transition a route takes."""
    said = [(one, transition_of(one)) for one in changes]
    heeds_owners = said and any(route.owners for route in routes)
    owners = _owners(tx, [each for _, each in said]) if heeds_owners else {}
    return [
        one
        for one, each in said
        if _channels(each, owners.get((each.namespace, each.job), ()), routes)
    ]


def _owners(tx: Transaction, transitions: Sequence[Transition]) -> dict[tuple[str, str], Owners]:
    """Return the owners of the jobs and datasets, by namespace and name."""
    found = notifications.list_owners(tx, rows=[_subject(one) for one in transitions])
    return {(one.namespace, one.name): read_owners(one.facet) for one in found}


def _subject(said: Transition) -> dict[str, str | None]:
    key = dataset_key(said.namespace, said.job) if said.about == "dataset" else None
    return {"namespace": said.namespace, "name": said.job, "dataset_key": key}


def _channels(said: Transition, owners: Owners, routes: Sequence[Route]) -> list[str]:
    taking = (
        route
        for route in routes
        if route.takes(said.occasion, said.namespace, said.job, owners, is_top=said.is_top)
    )
    return sorted({route.channel for route in taking})


def _row(said: Transition, channel: str) -> dict[str, Any]:
    parts = ["notification", said.about, said.id, said.occasion.value, said.turn, channel]
    return {
        "key": canonical_hash(parts)[:32],
        "channel": channel,
        "type": f"{said.about}.{said.occasion.value}",
        "subject": said.id,
        "namespace": said.namespace,
        "job": said.job,
        "at": said.at,
        "reason": said.reason,
        "message": said.message and said.message[:LONGEST],
        "attempt": said.attempt,
        "next_attempt": said.next_attempt,
    }
