"""What pictures are taken of: a graph, and a notebook on it."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from tests.acceptance.notebook.lab import Lab

_SECONDS = 300
_WIPE = """
MATCH (n) WHERE NOT n:Migration
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS
"""


@dataclass(frozen=True)
class Stage:
    """A graph, its server, a JupyterLab whose kernels are connected to it, and a page."""

    settings: Settings
    graph: Graph
    server: ServerAddress
    lab: Lab
    page: Page

    def empty(self) -> None:
        """Leave nothing in the graph."""
        with self.graph.autocommit() as session:
            session.run(_WIPE).consume()

    def run(self, *cells: str) -> Locator:
        """Run cells in a new notebook, nothing beside it; return what the last one shows."""
        notebook = self.lab.open(self.page, *cells)
        for button in self.page.locator(".jp-SideBar .lm-mod-current").all():
            button.click()
        self.dress("JupyterLab Light")
        outputs = [notebook.run(number, _SECONDS) for number in range(len(cells))]
        return outputs[-1]

    def dress(self, theme: str) -> None:
        """Give JupyterLab a theme."""
        change = "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
        self.page.evaluate(change, theme)
