"""The live run as a widget."""

from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any

import traitlets

from lineagegraph.model.runs.states import FINAL
from lineagegraph.notebook.widgets.panel import Panel, page
from lineagegraph.text import format_local
from lineagegraph.views.live_run import LiveRunView


class LiveRun(Panel):
    """One run; `selected` is the run of its tree whose log is shown, `state` its state."""

    _esm, _css = page("live_run")
    run_id = traitlets.Unicode("").tag(sync=True)
    state = traitlets.Unicode("").tag(sync=True)
    view_class = LiveRunView
    view: LiveRunView

    def ask(self, question: str, about: Mapping[str, Any]) -> Any:
        """Answer the page, and keep the state of the run."""
        answer = super().ask(question, about)
        if question == "live":
            self.state = answer["rows"][0]["state"]
        return answer

    def picture(self) -> dict[str, str]:
        """Return the tree as text; a saved notebook keeps it, so it has the time before the end."""
        rows, left_out = self.view.list_rows(self.run_id)
        text = "\n".join(f"{'  ' * row.depth}{row.state:<9} {row.name}" for row in rows)
        if left_out:
            text += f"\nand {left_out:,} more"
        if rows[0].state not in FINAL:
            text += f"\nas of {format_local(datetime.now(UTC))}, before its end"
        return {"text/plain": text, "text/html": f"<pre>{escape(text)}</pre>"}
