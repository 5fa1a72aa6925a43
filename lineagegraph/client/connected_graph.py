"""The graph that this process drives runs in: connected to when it is first asked for."""

import atexit

import structlog

from lineagegraph.client.logs import configure_logs
from lineagegraph.graph import Graph
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.connect import has_to_start, open_graph

_opened: list[tuple[Settings, Graph]] = []


def graph_here() -> Graph:
    """Return the graph that the settings name; the managed server is started if need be.

    After other settings it is another one; runs that go on keep theirs.
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
