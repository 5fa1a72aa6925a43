"""Possibly orphaned datasets: without a reader, without a writer, or unused for long."""

from collections.abc import Iterator
from datetime import datetime

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.datasets.datasets import UsedDataset, list_uses

_DAYS = 30


class Orphan(msgspec.Struct, frozen=True):
    """A dataset and why it may be orphaned; `idle_days` is the time since its last use."""

    namespace: str  # namespace of the dataset
    name: str  # name of the dataset
    why: tuple[str, ...]  # reasons to call it an orphan
    idle_days: float | None  # days since its last use; None if it was never used
    readers: int  # jobs that read it
    read_at: datetime | None  # time of the last read
    writers: int  # jobs that write it
    written_at: datetime | None  # time of the last write


def find_orphans(graph: Graph, days: float = _DAYS) -> list[Orphan]:
    """Return datasets that no job reads, no job writes, or none has used for `days`.

    A dataset without a writer may come from elsewhere; one without a reader may be read by people.
    """
    uses, now = graph.read(_read)
    found = ((use, tuple(_why(use, _idle_days(use, now), days))) for use in uses)
    return [_orphan(use, why, now) for use, why in found if why]


def _read(tx: Transaction) -> tuple[list[UsedDataset], datetime]:
    return list_uses(tx), get_time(tx)


def _why(use: UsedDataset, idle: float | None, days: float) -> Iterator[str]:
    if not use.readers:
        yield "never read"
    if not use.writers:
        yield "never written"
    if idle is not None and idle > days:
        yield f"idle for {idle:.0f} days"


def _idle_days(use: UsedDataset, now: datetime) -> float | None:
    last = max(filter(None, (use.read_at, use.written_at)), default=None)
    return None if last is None else (now - last).total_seconds() / 86400


def _orphan(use: UsedDataset, why: tuple[str, ...], now: datetime) -> Orphan:
    return Orphan(
        use.namespace,
        use.name,
        why,
        _idle_days(use, now),
        use.readers,
        use.read_at,
        use.writers,
        use.written_at,
    )
