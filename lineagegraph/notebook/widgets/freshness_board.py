"""The freshness board as a widget."""

from collections.abc import Sequence

import traitlets

from lineagegraph.admin.freshness import set_terms, unset_terms
from lineagegraph.admin.source_sensor import SourceSensor, source_sensor
from lineagegraph.authoring.sensor_handle import SensorHandle
from lineagegraph.errors import InvalidFreshness
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.notebook.widgets.panel import Panel, page, table_of
from lineagegraph.queries.find.find import find_node
from lineagegraph.text import Duration, read_duration
from lineagegraph.views.freshness_board import FreshnessBoardView

_GRACE = "30m"
_HEAD = {
    "state": "State",
    "node": "Job or dataset",
    "age": "Age",
    "terms": "Terms",
    "why": "Why",
}


def _source(stated: SensorHandle) -> SourceSensor:
    return source_sensor(
        stated.kind,
        stated.poke_fields,
        name=stated.name,
        poke_interval=stated.terms.poke_interval,
    )


class FreshnessBoard(Panel):
    """All jobs and datasets with terms of freshness; `selected` is the clicked node."""

    _esm, _css = page("freshness_board")
    view_class = FreshnessBoardView
    view: FreshnessBoardView
    only_stale = traitlets.Bool(default_value=False).tag(sync=True)
    changes = traitlets.Int(default_value=0).tag(sync=True)

    def expect(
        self,
        node: str,
        terms: Freshness,
        grace: Duration = _GRACE,
        *,
        per: str | None = None,
        expected: Sequence[str] = (),
        sensor: SensorHandle | None = None,
    ) -> None:
        """Set terms of freshness of a job or dataset, such as `lg.freshness("1d")`.

        A node that is due counts as stale after `grace`. With `per="region"` each value of that
        partition key is judged by itself, also the `expected` ones that were never seen. A `sensor`
        from `lg.sensor` answers when data was last new that nothing reports. Raises
        `InvalidFreshness`, `InvalidSensor` or `NotFound`.
        """
        late = read_duration(grace)
        if late is None:
            raise InvalidFreshness(f"grace={grace!r} is not a duration such as 30m")
        said = Terms(freshness=terms, grace=late, per=per, expected=tuple(expected))
        source = _source(sensor) if sensor else None
        set_terms(self._graph, find_node(self._graph, node).key, said, source=source)
        self.changes += 1

    def forget(self, node: str) -> None:
        """Remove the terms of `expect`; those of a definition apply again."""
        found = find_node(self._graph, node)
        unset_terms(self._graph, found.key, found.name)
        self.changes += 1

    def picture(self) -> dict[str, str]:
        """Return the table as HTML and text."""
        return table_of(_HEAD, self.view.answer_board(), "no freshness terms")
