"""The freshness board: the state, age and terms of each job and dataset, with the cause."""

from typing import Any
from zoneinfo import ZoneInfo

from lineagegraph.admin.freshness import set_terms, unset_terms
from lineagegraph.errors import ChangedMeanwhile
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
from lineagegraph.text import format_age, read_duration
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

    def answer_set(self, node: str, max_age: str, known: str | None = None) -> str:
        """Set the age that a job or dataset may have, such as `2h`, and return its id.

        `known` are its terms in words as the person saw them: others are not replaced.
        """
        seconds = read_duration(max_age)
        if seconds is None:
            raise ValueError(f"max age {max_age!r} is no duration: write it as 2h or 1d 12h")
        found = find_node(self._graph, node)
        if known is not None:
            self._refuse_other(found, known)
        terms = Terms(freshness=Freshness(max_age=seconds))
        set_terms(self._graph, found.key, terms, by=self.author)
        return node_id(found)

    def answer_unset(self, node: str) -> None:
        """Remove the terms that a person set; those of a definition apply again."""
        found = find_node(self._graph, node)
        unset_terms(self._graph, found.key, found.name)

    def _refuse_other(self, found: NamedNode, known: str) -> None:
        standings = read_standings(self._graph, self._settings.zone, [found.key])
        terms = describe_terms(standings[0].about.terms) if standings else ""
        if terms != known:
            raise ChangedMeanwhile(
                f"the terms of {node_id(found)} were changed meanwhile and are now "
                f"{terms or 'none'}: set them again"
            )


def _row(one: Standing) -> dict[str, Any]:
    return {
        "state": one.state.value,
        "node": one.node,
        "age": format_age(one.judged.age),
        "terms": describe_terms(one.about.terms),
        "why": describe_staleness(one),
        "path": [step.node for step in one.path],
    }
