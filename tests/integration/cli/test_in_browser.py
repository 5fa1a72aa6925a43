"""What commands say at a terminal of Neo4j Browser."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lineagegraph import on
from lineagegraph.graph import Graph
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.triggers.triggers import find_trigger
from tests.integration.scheduling.rules import write_rules
from tests.terminals import written_at_terminal

SAMPLE = Path(__file__).parents[1] / "explore" / "sample.cypher"
RUN = "00000001-0000-7000-8000-000000000000"


class Terminal:
    """Runs `lineagegraph` as at a terminal; it is known where Browser is."""

    def __init__(self, server: ServerAddress) -> None:
        self._environment = os.environ | {
            "LINEAGEGRAPH_NEO4J_URI": server.bolt,
            "LINEAGEGRAPH_NEO4J_PASSWORD": server.password,
            "LINEAGEGRAPH_NEO4J_BROWSER_URL": "http://graph:7474/browser/",
            "TERM": "xterm-256color",
            "COLUMNS": "200",
        }

    def __call__(self, *words: str) -> str:
        """Return what a command writes."""
        return written_at_terminal("-m", "lineagegraph.cli", *words, environment=self._environment)


@pytest.fixture
def terminal(graph: Graph, server: ServerAddress) -> Terminal:
    graph.query(SAMPLE.read_text(encoding="utf-8"), write=True)
    graph.write(write_rules, {"board": Trigger(when=on.success("nyc.delays"))}, datetime.now(UTC))
    return Terminal(server)


def test_what_is_shown_at_a_terminal_says_how_it_is_opened_in_browser(
    terminal: Terminal, graph: Graph
) -> None:
    for words, what in (
        (("show", RUN), f"run:{RUN}"),
        (("trigger", "why", "board"), f"trigger:{find_trigger(graph, 'board').id}"),
    ):
        said = terminal(*words)
        assert f"lineagegraph browser {what}" in said
        address = terminal("browser", what, "--show").strip()
        assert address.startswith("http://graph:7474/browser/?")
        assert f";{address}\x1b\\" in said
