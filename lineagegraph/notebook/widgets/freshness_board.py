"""What is fresh, what is not, and why: a table that follows the graph."""

from typing import Any

import traitlets

from lineagegraph.admin.freshness import set_terms, unset_terms
from lineagegraph.errors import InvalidFreshness
from lineagegraph.model.durations import Duration, read_seconds
from lineagegraph.model.freshness.standing import FreshState, Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.notebook.widgets.panel import Panel, page, table_of
from lineagegraph.queries.find.find import find_node
from lineagegraph.queries.freshness.describe import say_age, say_terms, say_why
from lineagegraph.queries.freshness.freshness import Standing, read_standings, with_causes

_GRACE = "30m"
_HEAD = {
    "state": "State",
    "node": "Job or dataset",
    "age": "Age",
    "terms": "Terms",
    "why": "Why",
}


class FreshnessBoard(Panel):
    """All that has terms of freshness; `selected` is the node that was clicked."""

    _esm, _css = page("freshness_board")
    only_stale = traitlets.Bool(default_value=False).tag(sync=True)
    changes = traitlets.Int(default_value=0).tag(sync=True)

    def expect(self, node: str, terms: Freshness, grace: Duration = _GRACE) -> None:
        """Say how fresh a job or dataset is to be, as `lg.freshness("1d")` states it.

        After `grace` what is due counts as stale. Raises `InvalidFreshness` or `NotFound`.
        """
        late = read_seconds(grace)
        if late is None:
            raise InvalidFreshness(f"grace={grace!r} is no duration such as 30m")
        set_terms(self._graph, find_node(self._graph, node).key, Terms(freshness=terms, grace=late))
        self.changes += 1

    def forget(self, node: str) -> None:
        """Take back what was said by `expect`; what a definition states holds again."""
        found = find_node(self._graph, node)
        unset_terms(self._graph, found.key, found.name)
        self.changes += 1

    def answer_board(self) -> list[dict[str, Any]]:
        """Return a row for each job and dataset that has terms, the worst first."""
        zone = self._settings.zone
        found = with_causes(self._graph, zone, read_standings(self._graph, zone))
        worst = (FreshState.STALE, FreshState.UNKNOWN, FreshState.DUE, FreshState.FRESH)
        found.sort(key=lambda one: (worst.index(one.state), one.node))
        return [_row(one) for one in found]

    def picture(self) -> dict[str, str]:
        """Return the table as HTML and text."""
        return table_of(_HEAD, self.answer_board(), "nothing has terms")


def _row(one: Standing) -> dict[str, Any]:
    return {
        "state": one.state.value,
        "node": one.node,
        "age": say_age(one.judged.age),
        "terms": say_terms(one.about.terms),
        "why": say_why(one),
        "path": [step.node for step in one.path],
    }
