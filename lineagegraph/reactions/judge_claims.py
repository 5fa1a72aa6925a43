"""Claims are judged again when rights have changed."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from hashlib import sha256

from lineagegraph.graph import Transaction
from lineagegraph.ingest.archive import whole_events
from lineagegraph.ingest.claims import list_claims, read_others
from lineagegraph.ingest.extract import extract
from lineagegraph.model.access import Caller
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.outbox.routes import Route
from lineagegraph.openlineage import identify_runs
from lineagegraph.reactions.commit import commit
from lineagegraph.store.runs import events
from lineagegraph.triggers.start import Started

_PAGE = 100


def rights_of(callers: Mapping[str, Caller]) -> str:
    """Return a hash of the rights of all tokens, by which claims are judged."""
    rights = {
        name: [sorted(caller.datasets), {r: sorted(n) for r, n in caller.covers.items()}]
        for name, caller in callers.items()
    }
    return sha256(canonical_json(rights).encode()).hexdigest()


def judge_claims(
    tx: Transaction,
    callers: Mapping[str, Caller],
    *,
    max_event_age: timedelta,
    routes: Sequence[Route] = (),
) -> list[Started]:
    """Judge the oldest claims that other rights judged, and return the runs that they start.

    Claims that the author may state now become facts, and fire triggers unless they are older
    than `max_event_age`. Facts stay when rights are taken away.
    """
    rights = rights_of(callers)
    due = events.list_due_claims(tx, rights=rights, limit=_PAGE)
    started: list[Started] = []
    rows = []
    for claim, event in zip(due, whole_events(tx, [one.body for one in due]), strict=True):
        left = list(claim.claims)
        if caller := callers.get(claim.author):
            told = identify_runs(event).event
            found = list_claims(told, caller, read_others(tx, caller, [told]))
            left = [path for path in claim.claims if path in found]
        if left != claim.claims:
            batch = extract([event], author=claim.author, claims=left)
            started += commit(tx, batch, max_event_age=max_event_age, routes=routes, own=False)
        rows.append({"id": claim.id, "claims": left or None})
    events.set_claims(tx, rows=rows, rights=rights)
    return started
