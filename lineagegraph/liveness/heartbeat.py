"""The heartbeat of a run: renews its lease, and notices its cancellation."""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from threading import Event, Thread

import structlog

from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.store.runs import launches

log = structlog.get_logger()
_POLL_SECONDS = 0.5


class Heartbeat:
    """Beats from a thread of its own, until stopped.

    `stop_run` is called with CANCELLED if the run was cancelled, with LOST if it is another
    worker's. While the graph is away the run continues.
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
        # Retried at the next beat: waiting longer for the graph may lose the lease.
        self._graph = graph.with_patience(seconds)
        self._run_id = run_id
        self._renew = partial(
            launches.set_lease, id=run_id, fence=fence, owner=owner, lease=lease, now=None
        )
        self._seconds = seconds
        self._stop_run = stop_run
        self._over = Event()
        self._thread = Thread(target=self._beat_on, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Beat once, and continue in the background."""
        self._beat()
        self._thread.start()

    def stop(self) -> None:
        """Stop beating."""
        self._over.set()
        self._thread.join()

    def _beat_on(self) -> None:
        due = time.monotonic() + self._seconds
        while not self._over.wait(min(_POLL_SECONDS, self._seconds)):
            if time.monotonic() < due:
                self._check_cancelled()
            else:
                self._beat()
                due = time.monotonic() + self._seconds

    def _check_cancelled(self) -> None:
        """Notice a cancellation sooner than at the next beat."""
        with suppress(GraphError):
            if self._graph.read(launches.get_cancelled, id=self._run_id):
                self._stop_run("CANCELLED")

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
