"""The run history as a widget."""

from datetime import UTC, datetime
from typing import Any

import traitlets

from lineagegraph.drawing.gantt import to_gantt
from lineagegraph.notebook.widgets.panel import Panel, page
from lineagegraph.queries.runs.hierarchy import read_run_tree
from lineagegraph.queries.runs.runs import read_runs
from lineagegraph.views.run_history import NEWEST, RunHistoryView


class RunHistory(Panel):
    """The newest runs of a job; `selected` is the id of the one that is shown.

    `compared` is the id of the run that it is compared with, if one was chosen. `pane` is the open
    tab, such as "Trend".
    """

    _esm, _css = page("run_history")
    job = traitlets.Unicode("").tag(sync=True)
    namespace = traitlets.Unicode("").tag(sync=True)
    compared = traitlets.Unicode("").tag(sync=True)
    pane = traitlets.Unicode("").tag(sync=True)
    view_class = RunHistoryView

    @traitlets.observe("job")
    def _leave_runs(self, change: dict[str, Any]) -> None:
        """Select no run of the job before, and look for the new one in all namespaces."""
        if change["old"]:
            self.selected = self.compared = self.namespace = ""

    def picture(self) -> dict[str, str]:
        """Return the selected or the newest run as a Gantt chart, as SVG and text."""
        runs = read_runs(self._graph, self.job, self.namespace or None, limit=NEWEST)
        chosen = self.selected or (runs[0].id if runs else "")
        text = "\n".join(f"{row.id}  {row.state}" for row in runs)
        if not chosen:
            return {"text/plain": f"{self.job} has not run yet"}
        drawn = to_gantt(read_run_tree(self._graph, chosen), datetime.now(UTC))
        return {"text/plain": text, "image/svg+xml": drawn}
