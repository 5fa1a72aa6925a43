"""What all widgets are: little state that Python and page share, and answers to what a page asks.

A page asks with a message `{"id", "ask", "about"}`; a method `answer_ASK(**about)` gives what it
draws, which goes back as `{"id", "answer"}`, or as `{"id", "error"}` with one line. Only what is
`selected`, and how it is looked at, is state: what is drawn is read anew from the graph.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import anywidget
import msgspec
import structlog
import traitlets

from lineagegraph.errors import LineagegraphError
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import Noun, browser_link
from lineagegraph.notebook.results.table import html_table, text_table
from lineagegraph.notebook.widgets.modules import link_modules, read_frontend
from lineagegraph.settings import Settings

log = structlog.get_logger()


def page(name: str) -> tuple[str, str]:
    """Return the module and the style of a widget, which are those of the view of its name.

    The style of the view is scoped: all widgets of a notebook are in one page.
    """
    # A view draws into an element of this name: rules apply below the root of their scope.
    own = f'@scope ([data-widget="{name}"]) {{\n{read_frontend(f"{name}/{name}.css")}}}\n'
    return link_modules(f"{name}/widget.js"), read_frontend("panel.css") + own


def table_of(
    head: Mapping[str, str], rows: Sequence[Mapping[str, Any]], empty: str
) -> dict[str, str]:
    """Return the picture of rows, of each what `head` names, or the words for none."""
    if not rows:
        return {"text/plain": empty}
    names, cells = list(head.values()), [[row[key] for key in head] for row in rows]
    return {"text/plain": text_table(names, cells), "text/html": html_table(names, cells)}


class Panel(anywidget.AnyWidget):
    """A widget over a graph; those that inherit set `_esm, _css = page(NAME)`."""

    selected = traitlets.Unicode("").tag(sync=True)
    zone = traitlets.Unicode("UTC").tag(sync=True)

    def __init__(self, graph: Graph, settings: Settings, **state: Any) -> None:
        super().__init__(zone=settings.zone, **state)
        self._graph = graph
        self._settings = settings
        self.on_msg(self._answer)

    def picture(self) -> dict[str, str]:
        """Return by MIME type what is shown where no widget can be: on GitHub, in nbviewer."""
        return {}

    def _answer(self, _: object, content: dict[str, Any], __: object) -> None:
        asked = {"id": content.get("id")}
        try:
            answer = getattr(self, f"answer_{content['ask']}")
            found = answer(**content.get("about", {}))
            self.send(asked | {"answer": msgspec.to_builtins(found)})
        except LineagegraphError as error:
            self.send(asked | {"error": str(error)})
        except Exception as error:
            log.exception("widget_failed", widget=type(self).__name__, ask=content.get("ask"))
            self.send(asked | {"error": f"unexpected: {type(error).__name__}: {error}"})

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        try:
            return {**data, **self.picture()}, metadata
        except LineagegraphError as error:
            return {**data, "text/plain": str(error)}, metadata

    def _browser_link(self, noun: Noun, key: str) -> str | None:
        """Return the address of one thing in Neo4j Browser, if that is known."""
        return browser_link(self._settings, noun, key)
