"""Whether processes of a kind live."""

import socket

import psutil

from lineagegraph.graph import Graph
from lineagegraph.store import processes


def lives(graph: Graph, kind: str) -> bool:
    """Say whether one gave a sign of life lately; of this host it must still be there."""
    found = graph.read(processes.list_live, kind=kind, within=processes.ALIVE, now=None)
    return any(one.host != socket.gethostname() or psutil.pid_exists(one.pid) for one in found)
