"""The freshness board: the state, age and terms of each job and dataset, with the cause."""

from typing import Any

from lineagegraph.model.freshness.describe import describe_terms
from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.queries.analysis.stale_why import find_stale_why
from lineagegraph.queries.freshness.freshness import (
    Standing,
    describe_staleness,
    read_standings,
    with_causes,
)
from lineagegraph.text import format_age
from lineagegraph.views.view import View


class FreshnessBoardView(View):
    """All jobs and datasets with terms of freshness."""

    def answer_board(self) -> list[dict[str, Any]]:
        """Return a row for each job and dataset that has terms, the worst first."""
        zone = self._settings.zone
        found = with_causes(self._graph, zone, read_standings(self._graph, zone))
        worst = (FreshState.STALE, FreshState.UNKNOWN, FreshState.DUE, FreshState.FRESH)
        found.sort(key=lambda one: (worst.index(one.state), one.node))
        return [_row(one) for one in found]

    def answer_why(self, node: str) -> list[tuple[str, str]]:
        """Return why a job or dataset is stale to the end, a name and a text per line."""
        return find_stale_why(self._graph, self._settings.zone, node).lines


def _row(one: Standing) -> dict[str, Any]:
    return {
        "state": one.state.value,
        "node": one.node,
        "age": format_age(one.judged.age),
        "terms": describe_terms(one.about.terms),
        "why": describe_staleness(one),
        "path": [step.node for step in one.path],
    }
