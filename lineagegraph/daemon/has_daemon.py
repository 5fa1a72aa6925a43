"""Whether a daemon lives that will run what is queued."""

import socket

import psutil

from lineagegraph.daemon.nudge import ALIVE
from lineagegraph.graph import Graph
from lineagegraph.store import processes


def has_daemon(graph: Graph) -> bool:
    """Say whether a daemon gave a sign of life lately; of this host it must still be there."""
    live = graph.read(processes.list_live, kind="daemon", within=ALIVE, now=None)
    return any(one.host != socket.gethostname() or psutil.pid_exists(one.pid) for one in live)
