"""The trigger panel as a widget."""

from lineagegraph.notebook.widgets.panel import Panel, page, table_of
from lineagegraph.views.trigger_panel import TriggerPanelView

_HEAD = {
    "starts": "Starts",
    "text": "When",
    "name": "Name",
    "enabled": "Enabled",
    "firings": "Firings",
    "latest": "Latest",
}


class TriggerPanel(Panel):
    """All triggers; `selected` is the name of the one shown, its id if names are equal."""

    _esm, _css = page("trigger_panel")
    view_class = TriggerPanelView
    view: TriggerPanelView

    def picture(self) -> dict[str, str]:
        """Return the list of triggers as HTML and text."""
        found = self.view.answer_list()
        note = f"{found.left_out:,} more" if found.left_out else ""
        return table_of(_HEAD, found.rows, "no triggers yet", note)
