"""JSON of jobs and datasets, kept as long as the graph stays as it is."""

import time
from collections.abc import Mapping
from threading import Lock
from typing import NamedTuple

import msgspec

from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph, LastCommit
from lineagegraph.store.admin.processes import count_heartbeats

_MOST_BYTES = 64 << 20
# A database that is put back to an older state can come to the same number of commits again.
_SECONDS = 60.0


class KeptNode(NamedTuple):
    """A job or a dataset in an answer; ids of two nodes can be equal."""

    id: str
    is_job: bool
    data: msgspec.Raw


class _Stamp(NamedTuple):
    """A state of the graph: how many commits led to it that were no heartbeats."""

    database: bytes
    commits: int


class _Look(NamedTuple):
    """How many heartbeats there were, and then the last commit."""

    heartbeats: int
    commit: LastCommit

    def stamp(self, heartbeats: int) -> _Stamp:
        """Return the state of the graph by a count of heartbeats."""
        return _Stamp(self.commit.database, self.commit.number - heartbeats)


class KeptNodes:
    """Nodes of answers, which any commit that is not a heartbeat ends.

    They must depend on the graph alone: not on the time, nor on the caller.
    """

    def __init__(self, graph: Graph, most_bytes: int = _MOST_BYTES) -> None:
        self._graph = graph
        self._most_bytes = most_bytes
        self._lock = Lock()
        self._stamp: _Stamp | None = None
        self._until = 0.0
        self._nodes: dict[str, KeptNode] = {}
        self._size = 0

    def nothing(self) -> "NodesNow":
        """Return no nodes, to which none is added."""
        return NodesNow(self, None, {})

    def now(self) -> "NodesNow":
        """Return the nodes as they are now."""
        look = self.look()
        if look is None:
            return self.nothing()
        # A heartbeat since they were counted makes this too late a state, of which nothing is kept.
        stamp = look.stamp(look.heartbeats)
        with self._lock:
            if stamp != self._stamp or self._until < time.monotonic():
                self._stamp, self._until = stamp, time.monotonic() + _SECONDS
                self._nodes, self._size = {}, 0
            return NodesNow(self, look, self._nodes)

    def look(self) -> _Look | None:
        """Ask for the state of the graph; None if it cannot be known."""
        try:
            heartbeats, commit = self._graph.read_until(count_heartbeats)
        except GraphError:
            return None
        return None if commit is None else _Look(heartbeats, commit)

    def keep(self, nodes: Mapping[str, KeptNode], stamp: _Stamp) -> None:
        """Keep nodes by key that were read after a state, if it is still that of the graph."""
        size = sum(len(node.data) for node in nodes.values())
        with self._lock:
            if stamp != self._stamp or size > self._most_bytes:
                return
            if self._size + size > self._most_bytes:
                self._nodes, self._size = {}, 0
            self._nodes.update(nodes)
            self._size += size


class NodesNow:
    """The nodes that are kept at a moment; those that are not can be added to them."""

    def __init__(self, kept: KeptNodes, look: _Look | None, known: Mapping[str, KeptNode]) -> None:
        self.known = known
        self._kept = kept
        self._look = look
        self._stamp: _Stamp | None = None

    def lacking(self, keys: list[str]) -> list[str]:
        """Return those of some keys whose nodes are not kept; they can be read from now on."""
        lacking = [key for key in keys if key not in self.known]
        if lacking and self._look is not None and self._stamp is None:
            later = self._kept.look()
            # Heartbeats counted after the commit make this too early a state, if any.
            self._stamp = later and self._look.stamp(later.heartbeats)
        return lacking

    def keep(self, nodes: Mapping[str, KeptNode]) -> None:
        """Keep nodes that were read."""
        if self._stamp is not None:
            self._kept.keep(nodes, self._stamp)
