"""Widgets: a little state that Python and page share, and a view that answers the page.

A page asks with a message `{"id", "ask", "about"}`; the view's answer goes back as `{"id",
"answer"}`, or as `{"id", "error"}` with one line. Only the selection and the options of a view are
state: everything drawn is read from the graph again.
"""

import json
import re
from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from posixpath import dirname, join, normpath
from typing import Any, ClassVar

import anywidget
import structlog
import traitlets

from lineagegraph.errors import LineagegraphError
from lineagegraph.graph import Graph
from lineagegraph.notebook.results.table import html_table, text_table
from lineagegraph.settings import Settings
from lineagegraph.views.frontend import read_frontend, scoped_style
from lineagegraph.views.page_address import page_address
from lineagegraph.views.view import View

_FROM = re.compile(r' from "(\.[^"]+)";$', re.MULTILINE)
_LOADER = """\
const addresses = new Map();
for (const [name, text] of MODULES) {
  const linked = text.replace(/ from "(.+)";$/gm, (_, other) => ` from "${addresses.get(other)}";`);
  const parts = [linked, `\\n//# sourceURL=lineagegraph/${name}\\n`];
  addresses.set(name, URL.createObjectURL(new Blob(parts, { type: "text/javascript" })));
}
const entry = await import(addresses.get(MODULES.at(-1)[0]));
for (const address of addresses.values()) URL.revokeObjectURL(address);
export default entry.default;
"""


def link_modules(entry: str) -> str:
    """Return one module that exports the default of another, which may import others.

    Imports may not form a cycle: a blob cannot name a later one.
    """
    texts: dict[str, str] = {}
    imports: dict[str, list[str]] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in texts:
            texts[name], imports[name] = _absolute(name, read_frontend(name))
            waiting += imports[name]
    modules = [(name, texts[name]) for name in TopologicalSorter(imports).static_order()]
    return f"const MODULES = {json.dumps(modules)};\n{_LOADER}"


def _absolute(name: str, text: str) -> tuple[str, list[str]]:
    """Return a module with its imports named from the root, and their names."""
    found: list[str] = []

    def named(match: re.Match[str]) -> str:
        found.append(normpath(join(dirname(name), match[1])))
        return f' from "{found[-1]}";'

    return _FROM.sub(named, text), found


log = structlog.get_logger()
_INTERRUPTED = "interrupted before the answer: try again"


def page(name: str) -> tuple[str, str]:
    """Return the module and the style of the widget of a view."""
    return link_modules(f"{name}/widget.js"), read_frontend("panel.css") + scoped_style(name)


def table_of(
    head: Mapping[str, str], rows: Sequence[Mapping[str, Any]], empty: str, note: str = ""
) -> dict[str, str]:
    """Return a table of rows with the columns of `head` and a note, or the text `empty`."""
    if not rows:
        return {"text/plain": empty}
    names, cells = list(head.values()), [[row[key] for key in head] for row in rows]
    table = (names, cells, note)
    return {"text/plain": text_table(*table), "text/html": html_table(*table)}


class Panel(anywidget.AnyWidget):
    """A widget over a graph; those that inherit set `_esm, _css = page(NAME)` and `view_class`."""

    view_class: ClassVar[type[View]]
    selected = traitlets.Unicode("").tag(sync=True)
    zone = traitlets.Unicode("UTC").tag(sync=True)
    page_url = traitlets.Unicode("").tag(sync=True)

    def __init__(self, graph: Graph, settings: Settings, **state: Any) -> None:
        super().__init__(zone=settings.zone, page_url=page_address(settings) or "", **state)
        self._graph = graph
        self._settings = settings
        self.view = self.view_class(graph, settings)
        self.on_msg(self._hear)

    def ask(self, question: str, about: Mapping[str, Any]) -> Any:
        """Answer a question of the page."""
        return self.view.answer(question, about)

    def picture(self) -> dict[str, str]:
        """Return a static picture by MIME type, for pages without widgets: GitHub, nbviewer."""
        return {}

    def _hear(self, _: object, content: dict[str, Any], __: object) -> None:
        asked = {"id": content.get("id")}
        try:
            answer = self.ask(content["ask"], content.get("about", {}))
            self.send(asked | {"answer": answer})
        except (LineagegraphError, ValueError, OverflowError) as error:
            self.send(asked | {"error": str(error)})
        except KeyboardInterrupt:
            # The page waits for an answer, and asks nothing else until it comes.
            self.send(asked | {"error": _INTERRUPTED})
        except Exception as error:
            log.exception("widget_failed", widget=type(self).__name__, ask=content.get("ask"))
            self.send(asked | {"error": f"unexpected: {type(error).__name__}: {error}"})

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        try:
            return {**data, **self.picture()}, metadata
        except LineagegraphError as error:
            return {**data, "text/plain": str(error)}, metadata
