"""Events with claims: parts about jobs and datasets of others."""

from datetime import datetime
from typing import NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.store.runs import events


class ClaimedParts(NamedTuple):
    """An event with claims, and their JSON paths."""

    id: str
    received_at: datetime
    author: str
    claims: list[str]
    job: str | None


def list_claims(
    tx: Transaction, *, author: str | None = None, offset: int = 0, limit: int = 100
) -> Page[ClaimedParts]:
    """Return the events with claims, the newest first; `author` is the name of a token."""
    found = events.list_claims(tx, author=author, offset=offset, limit=limit)
    parts = [
        ClaimedParts(one.id, one.received_at, one.author, one.claims, _job(one.body))
        for one in found
    ]
    return Page(tuple(parts), events.count_claims(tx, author=author))


def _job(body: str) -> str | None:
    job = msgspec.json.decode(body).get("job")
    return f"{job['namespace']} {job['name']}" if job else None
