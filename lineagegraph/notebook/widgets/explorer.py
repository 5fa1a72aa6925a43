"""The lineage explorer as a widget."""

from typing import Any

import traitlets

from lineagegraph.drawing.svg import to_cell_svg
from lineagegraph.notebook.widgets.panel import Panel, page
from lineagegraph.views.explorer import ExplorerView, read_time

_PICTURED = 200


class Explorer(Panel):
    """The lineage around `node`, or all lineage; `selected` is the clicked node or column.

    `up` and `down` are the numbers of edges to show first. `level` 1 shows the topmost jobs instead
    of their descendants, 2 the jobs below these, such as tasks, and so on; 0 shows each job. `at`
    is a time, as ISO 8601: the lineage of that time is shown. `target` is the other end of a path
    from the selection; `stale` marks stale nodes and the paths to their causes.
    """

    _esm, _css = page("explorer")
    view_class = ExplorerView
    view: ExplorerView
    node = traitlets.Unicode("").tag(sync=True)
    up = traitlets.Int(4).tag(sync=True)
    down = traitlets.Int(4).tag(sync=True)
    level = traitlets.Int(2).tag(sync=True)
    at = traitlets.Unicode("").tag(sync=True)
    target = traitlets.Unicode("").tag(sync=True)
    stale = traitlets.Bool(default_value=False).tag(sync=True)

    @traitlets.validate("at")
    def _is_time(self, proposal: dict[str, Any]) -> str:
        try:
            read_time(proposal["value"])
        except ValueError:
            message = f"{proposal['value']!r} is not a time: write it as 2026-03-01T12:00:00Z"
            raise traitlets.TraitError(message) from None
        return str(proposal["value"])

    def picture(self) -> dict[str, str]:
        """Return the lineage as SVG, unless it is too large."""
        found = self.view.read(self.node, self.up, self.down, self.at, _PICTURED + 1)
        graph = found.graph
        what = self.node or "all that there is"
        if len(graph.nodes) > _PICTURED:
            message = f"Lineage of {what}: more than {_PICTURED} jobs and datasets. Run the cell."
            return {"text/plain": message}
        message = f"Lineage of {what}: {len(graph.jobs)} jobs, {len(graph.datasets)} datasets"
        return {"text/plain": message, "image/svg+xml": to_cell_svg(graph)}
