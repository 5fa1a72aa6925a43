"""Connections of this process: its default graph, and sessions to explore one.

Nothing here imports IPython or widgets before `connect` is called.
"""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING

import structlog

from lineagegraph.graph import Graph
from lineagegraph.liveness.logs import configure_logs
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.connect import has_to_start, open_graph

if TYPE_CHECKING:
    from lineagegraph.notebook.session import Session

_opened: list[tuple[Settings, Graph]] = []


def connect() -> Session:
    """Connect to the graph that the settings name; the managed Neo4j is started if it is down.

    In a notebook this also completes names: `graph.lineage("` and the Tab key.
    """
    from lineagegraph.notebook import connect

    return connect()


def default_graph() -> Graph:
    """Return the graph that the settings name; the managed Neo4j is started if it is down.

    Changed settings give another graph; runs under way keep theirs.
    """
    settings = load_settings()
    if not _opened or _opened[-1][0] != settings or has_to_start(settings):
        _open(settings)
    return _opened[-1][1]


def _open(settings: Settings) -> None:
    if not structlog.is_configured():
        configure_logs()
    graph = open_graph(settings)
    atexit.register(graph.close)
    _opened.append((settings, graph))
