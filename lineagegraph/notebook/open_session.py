"""Connecting, as the command line does."""

import logging
import sys

from IPython import get_ipython

from lineagegraph import neo4j_server
from lineagegraph.graph import answers
from lineagegraph.notebook.session import Session
from lineagegraph.notebook.shell import prepare
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.connect import open_graph

_PATIENCE_SECONDS = 2.0


def connect() -> Session:
    """Connect to the graph that the settings name; the managed Neo4j is started if need be.

    In a notebook it completes names from then on: `graph.lineage("` and the Tab key.
    """
    settings = load_settings()
    shell = get_ipython()
    if shell is not None:
        prepare(shell)
    # What the driver says of a server that is away, our errors say too.
    logging.getLogger("neo4j").addHandler(logging.NullHandler())
    if _has_to_start(settings):
        print("starting Neo4j", file=sys.stderr)
    return Session(open_graph(settings).with_patience(_PATIENCE_SECONDS), settings)


def _has_to_start(settings: Settings) -> bool:
    running = neo4j_server.ServerState.RUNNING
    return not settings.neo4j_uri and neo4j_server.status(settings, answers).state is not running
