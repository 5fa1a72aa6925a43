"""The graph that this process drives runs in: connected to once, when it is first asked for."""

import atexit
from functools import cache

import structlog

from lineagegraph.driving.logs import configure_logs
from lineagegraph.graph import Graph
from lineagegraph.settings import load_settings
from lineagegraph.store.connect import open_graph


@cache
def graph_here() -> Graph:
    """Return the graph that the settings name; the managed server is started if need be."""
    if not structlog.is_configured():
        configure_logs()
    graph = open_graph(load_settings())
    atexit.register(graph.close)
    return graph
