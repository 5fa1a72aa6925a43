"""Backfills with their progress and partitions."""

from datetime import timedelta

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.jobs.pages import Cut, Page
from lineagegraph.store.triggers import backfills
from lineagegraph.store.triggers.backfills import BackfillRow, PartitionRow

_OPEN = ("PENDING", "WAITING", "RUNNING")
_UNSTARTED = "UNSTARTED"
_MINUTE = timedelta(minutes=1)


class Progress(msgspec.Struct, frozen=True):
    """The progress of a backfill: partitions by state, and the rate since its start.

    `rest_seconds` is the time that the rest takes at that rate.
    """

    done: int
    failed: int
    active: int
    waiting: int
    rate_per_minute: float | None
    rest_seconds: float | None


class Backfill(msgspec.Struct, frozen=True):
    """A backfill and its progress."""

    about: BackfillRow
    progress: Progress


def page_backfills(graph: Graph, job_key: str | None, cut: Cut) -> Page[Backfill]:
    """Return backfills, newest first, of one job or of all."""

    def work(tx: Transaction) -> Page[Backfill]:
        wanted = {"limit": cut.limit, "offset": cut.offset}
        rows = backfills.list_backfills(tx, id=None, job_key=job_key, **wanted)
        total = backfills.count_backfills(tx, job_key=job_key)
        return Page(tuple(Backfill(row, progress(row)) for row in rows), total)

    return graph.read(work)


def read_backfill(graph: Graph, backfill_id: str) -> Backfill:
    """Return one backfill."""
    rows = graph.read(backfills.list_backfills, id=backfill_id, job_key=None, limit=1, offset=0)
    if not rows:
        raise NotFound(f"no backfill {backfill_id!r}: `lineagegraph backfill list` lists them")
    return Backfill(rows[0], progress(rows[0]))


def page_partitions(
    graph: Graph, backfill_id: str, cut: Cut, states: list[str] | None = None
) -> Page[PartitionRow]:
    """Return partitions of a backfill in run order: all, or those in some states."""

    def work(tx: Transaction) -> Page[PartitionRow]:
        rows = backfills.list_partitions(
            tx, id=backfill_id, states=states, limit=cut.limit, offset=cut.offset
        )
        return Page(tuple(rows), backfills.count_partitions(tx, id=backfill_id, states=states))

    return graph.read(work)


def progress(row: BackfillRow) -> Progress:
    """Return the progress of a backfill."""
    counts = {one.state: one.partitions for one in row.counts}
    active = sum(counts.get(state, 0) for state in _OPEN)
    waiting = counts.get(_UNSTARTED, 0)
    rate = _rate(row)
    return Progress(
        done=row.total - active - waiting,
        failed=counts.get("FAILED", 0) + counts.get("KILLED", 0),
        active=active,
        waiting=waiting,
        rate_per_minute=rate,
        rest_seconds=60 * (active + waiting) / rate if rate else None,
    )


def _rate(row: BackfillRow) -> float | None:
    """Return how many runs ended per minute, from the first start to the last end."""
    if row.first_started_at is None or row.last_ended_at is None:
        return None
    minutes = (row.last_ended_at - row.first_started_at) / _MINUTE
    return row.ended / minutes if minutes > 0 else None
