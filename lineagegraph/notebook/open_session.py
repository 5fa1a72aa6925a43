"""Connecting, as the command line does."""

import logging
import sys

from IPython import get_ipython

from lineagegraph.notebook.session import Session
from lineagegraph.notebook.shell import prepare
from lineagegraph.settings import load_settings
from lineagegraph.store.connect import has_to_start, open_graph

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
    if has_to_start(settings):
        print("starting Neo4j", file=sys.stderr)
    return Session(open_graph(settings).with_patience(_PATIENCE_SECONDS), settings)
