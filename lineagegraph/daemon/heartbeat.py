"""A run's sign of life: keeps its lease, and hears when somebody wants it ended."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Event, Thread

import structlog

from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.store import launches

log = structlog.get_logger()


class Heartbeat:
    """Beats from a thread of its own, until stopped.

    `stop_run` is called with CANCELLED when the run shall end, with LOST when it is another's.
    While the graph is away the run goes on.
    """

    def __init__(
        self,
        graph: Graph,
        run_id: str,
        fence: int,
        *,
        owner: str,
        seconds: float,
        lease: timedelta,
        stop_run: Callable[[str], None],
    ) -> None:
        # Tried again at the next beat: whoever waits longer for the graph may lose the lease.
        self._graph = graph.with_patience(seconds)
        self._renew = partial(
            launches.set_lease, id=run_id, fence=fence, owner=owner, lease=lease, now=None
        )
        self._seconds = seconds
        self._stop_run = stop_run
        self._over = Event()
        self._thread = Thread(target=self._beat_on, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Beat once, and go on in the background."""
        self._beat()
        self._thread.start()

    def stop(self) -> None:
        """Stop beating."""
        self._over.set()
        self._thread.join()

    def _beat_on(self) -> None:
        while not self._over.wait(self._seconds):
            self._beat()

    def _beat(self) -> None:
        try:
            cancel = self._graph.write(self._renew)
        except GraphError as error:
            log.warning("heartbeat_missed", error=str(error))
            return
        if cancel is None and not self._over.is_set():
            self._stop_run("LOST")
        elif cancel:
            self._stop_run("CANCELLED")
