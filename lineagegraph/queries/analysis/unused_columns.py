"""Column lineage that no event has reported for long."""

from datetime import datetime, timedelta

from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.jobs.pages import Cut, Page
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.lineage.lineage import (
    UnusedDerivation,
    count_unused_derivations,
    list_unused_derivations,
)

_DAYS = 30
_MOST = 10_000


def page_unused_columns(graph: Graph, since: datetime, cut: Cut) -> Page[UnusedDerivation]:
    """Return derivations of columns that were last reported before a time, the oldest first."""

    def work(tx: Transaction) -> Page[UnusedDerivation]:
        rows = list_unused_derivations(tx, since=since, offset=cut.offset, limit=cut.limit)
        return Page(tuple(rows), count_unused_derivations(tx, since=since))

    return graph.read(work)


def find_unused_columns(graph: Graph, days: float = _DAYS) -> list[UnusedDerivation]:
    """Return up to 10,000 derivations of columns not reported for `days`, the oldest first."""

    def work(tx: Transaction) -> list[UnusedDerivation]:
        since = get_time(tx) - timedelta(days=days)
        return list_unused_derivations(tx, since=since, offset=0, limit=_MOST)

    return graph.read(work)
