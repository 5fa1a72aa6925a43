"""How fresh jobs and datasets are that have terms of freshness, and what is to blame."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.freshness.standing import FreshState, Judged, judge
from lineagegraph.queries.freshness.stale_causes import Step, find_causes
from lineagegraph.store.admin.retention import get_time
from lineagegraph.store.freshness import terms as store
from lineagegraph.store.freshness.terms import TermsRow

# Of a node that nothing is wrong with by its terms, or that has none, causes are looked for too.
_ASKED = Judged(state=FreshState.UNKNOWN)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A job or dataset with its terms, and how fresh it is by these.

    `path` leads upstream to what is to blame, itself first; it is empty where nothing is.
    """

    about: TermsRow
    judged: Judged
    path: tuple[Step, ...] = ()

    @property
    def node(self) -> str:
        """The node as `job:NAMESPACE:NAME` or `dataset:NAMESPACE:NAME`."""
        return (
            f"{'job' if self.about.is_job else 'dataset'}:{self.about.namespace}:{self.about.name}"
        )

    @property
    def state(self) -> FreshState:
        """The state."""
        return self.judged.state

    @property
    def cause(self) -> Step | None:
        """The end of the path."""
        return self.path[-1] if self.path else None


def read_standings(
    graph: Graph,
    zone: str,
    keys: Sequence[str] | None = None,
    now: datetime | None = None,
) -> list[Standing]:
    """Return how fresh all is that has terms, or what of it has these keys, by name.

    `zone` is that of terms that name none.
    """
    return graph.read(_standings, zone, keys, now)


def with_causes(
    graph: Graph, zone: str, standings: Sequence[Standing], now: datetime | None = None
) -> list[Standing]:
    """Return the same, with the way to what is to blame for each that is not fresh."""

    def work(tx: Transaction) -> list[Standing]:
        bad = {one.about.key: one.judged for one in standings if one.state is not FreshState.FRESH}
        paths = find_causes(tx, bad, partial(_judge, tx, zone, now))
        return [
            msgspec.structs.replace(one, path=paths.get(one.about.key, ())) for one in standings
        ]

    return graph.read(work)


def read_path(graph: Graph, zone: str, key: str, now: datetime | None = None) -> tuple[Step, ...]:
    """Return the way from a job or dataset, with or without terms, to what is to blame for it.

    It begins with the node itself, and is empty where nothing is to blame.
    """

    def work(tx: Transaction) -> tuple[Step, ...]:
        known = _judge(tx, zone, now, [key]).get(key)
        asked = known if known and known.state is not FreshState.FRESH else _ASKED
        path = find_causes(tx, {key: asked}, partial(_judge, tx, zone, now))[key]
        own = known.state if known else None
        return (msgspec.structs.replace(path[0], state=own), *path[1:]) if path else ()

    return graph.read(work)


def _judge(tx: Transaction, zone: str, now: datetime | None, keys: list[str]) -> dict[str, Judged]:
    return {one.about.key: one.judged for one in _standings(tx, zone, keys, now)}


def _standings(
    tx: Transaction, zone: str, keys: Sequence[str] | None, now: datetime | None
) -> list[Standing]:
    wanted = store.list_keys(tx) if keys is None else list(keys)
    at = now or get_time(tx)
    found = [
        Standing(about=row, judged=judge(row.terms, row.last_at, at, zone))
        for row in store.list_terms(tx, keys=wanted)
    ]
    return sorted(found, key=lambda one: one.node)
