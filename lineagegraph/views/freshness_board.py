"""The freshness board: the state, age and terms of each job and dataset, with the cause."""

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from lineagegraph.admin.freshness import set_terms, unset_terms
from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.describe import describe_terms
from lineagegraph.model.freshness.standing import FreshState, Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.outbox.routes import Occasion
from lineagegraph.queries.analysis.stale_why import WhyFact, find_stale_why
from lineagegraph.queries.find.find import NamedNode, find_node, node_id
from lineagegraph.queries.freshness.freshness import (
    Standing,
    describe_staleness,
    read_standings,
    with_causes,
)
from lineagegraph.queries.search.search import find_nearest
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.freshness.terms import list_terms
from lineagegraph.text import format_age, read_duration
from lineagegraph.views.known import Known, only_known
from lineagegraph.views.view import View

_FOUND = 20


class FreshnessBoardView(View):
    """All jobs and datasets with terms of freshness."""

    acts = frozenset({"set", "unset"})

    def answer_board(self) -> list[dict[str, Any]]:
        """Return a row for each job and dataset that has terms, the worst first."""
        zone = self._settings.zone
        found = with_causes(self._graph, zone, read_standings(self._graph, zone))
        worst = (FreshState.STALE, FreshState.UNKNOWN, FreshState.DUE, FreshState.FRESH)
        found.sort(key=lambda one: (worst.index(one.state), one.node))
        return [_row(one) for one in found]

    def answer_why(self, node: str) -> list[WhyFact]:
        """Return why a job or dataset is stale to the end, with links to what is named."""
        zone = self._settings.zone
        return find_stale_why(self._graph, zone, node).facts(ZoneInfo(zone))

    def answer_nodes(self, text: str) -> list[str]:
        """Return the ids of jobs and datasets, by a part of their names."""
        return [one.node for one in find_nearest(self._graph, text, _FOUND)]

    def answer_channels(self) -> list[str]:
        """Return the channels of the settings that are told when something is stale."""
        told = (route.channel for route in self._settings.notify if Occasion.STALE in route.on)
        return list(dict.fromkeys(told))

    def answer_node(self, node: str) -> str:
        """Return the id of a job or dataset by its id or name."""
        return node_id(find_node(self._graph, node))

    def answer_set(self, node: str, max_age: str, known: Known = msgspec.UNSET) -> str:
        """Set the age that a job or dataset may have, such as `2h`, and return its id.

        Its other terms stay. `known` are those that the person saw, None without any: others are
        not replaced. Raises `ValueError` if a sensor answers for it.
        """
        seconds = read_duration(max_age)
        if seconds is None:
            raise ValueError(f"max age {max_age!r} is no duration: write it as 2h or 1d 12h")
        found = find_node(self._graph, node)
        stated = self._graph.read(_terms_of, found.key)
        if stated and stated.sensor is not None:
            raise ValueError(
                f"the sensor {stated.sensor} answers for {node_id(found)}: change its terms with "
                "`lineagegraph freshness set`"
            )
        terms = stated or Terms(freshness=Freshness())
        terms = replace(terms, freshness=replace(terms.freshness, max_age=seconds))
        seen = msgspec.to_builtins(stated) if known is msgspec.UNSET else known
        set_terms(self._graph, found.key, terms, by=self.author, check=_only_known(found, seen))
        return node_id(found)

    def answer_unset(self, node: str, known: Known = msgspec.UNSET) -> None:
        """Remove the terms that a person set; those of a definition apply again.

        With `known` only these terms.
        """
        found = find_node(self._graph, node)
        unset_terms(self._graph, found.key, found.name, check=_only_known(found, known))


def _terms_of(tx: Transaction, key: str) -> Terms | None:
    rows = list_terms(tx, keys=[key], until=get_time(tx))
    return rows[0].terms if rows else None


def _only_known(found: NamedNode, known: Known) -> Callable[[Transaction], None]:
    what = f"the freshness of {node_id(found)}"
    return only_known(found.key, known, what, _terms_of, describe_terms, none="there are none")


def _row(one: Standing) -> dict[str, Any]:
    return {
        "state": one.state.value,
        "node": one.node,
        "age": format_age(one.judged.age),
        "terms": describe_terms(one.about.terms),
        "stated": msgspec.to_builtins(one.about.terms),
        "why": describe_staleness(one),
        "path": [step.node for step in one.path],
    }
