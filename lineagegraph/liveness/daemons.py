"""Live daemons: whether there is one, and nudges that wake them."""

import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Thread

import psutil

from lineagegraph.graph import Graph
from lineagegraph.store.admin import processes
from lineagegraph.store.admin.processes import DAEMON


class NudgeListener:
    """A UDP port on loopback; calls `on_nudge` for every nudge, until closed."""

    def __init__(self, on_nudge: Callable[[], None]) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._on_nudge = on_nudge
        self.address = "{}:{}".format(*self._socket.getsockname())
        self._thread = Thread(target=self._listen, name="nudges", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while self._socket.recvfrom(16)[1] is not None:
                self._on_nudge()


def nudge_daemons(graph: Graph) -> None:
    """Wake every live daemon."""
    live = graph.read(processes.list_live, kind=processes.DAEMON, within=processes.ALIVE, now=None)
    nudge(process.address for process in live if process.address)


def nudge(addresses: Iterable[str]) -> None:
    """Send a nudge to each address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for address in addresses:
            host, _, port = address.rpartition(":")
            with suppress(OSError, ValueError):
                sender.sendto(b"look", (host, int(port)))


def has_live_process(graph: Graph, kind: str) -> bool:
    """Return whether a process of this kind is alive; on this host its pid must exist."""
    found = graph.read(processes.list_live, kind=kind, within=processes.ALIVE, now=None)
    return any(one.host != socket.gethostname() or psutil.pid_exists(one.pid) for one in found)


def has_daemon(graph: Graph) -> bool:
    """Return whether a daemon is alive."""
    return has_live_process(graph, DAEMON)
