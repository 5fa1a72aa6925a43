"""A run that this process has claimed, with its heartbeat and its reporter."""

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from lineagegraph.graph import Graph
from lineagegraph.liveness.heartbeat import Heartbeat
from lineagegraph.process_environment.graph_place import graph_place
from lineagegraph.process_environment.task_processes import claim_mark
from lineagegraph.runs.report import GraphReporter
from lineagegraph.settings import Settings

_REPORT_SECONDS = 5.0


def process_owner() -> str:
    """Return the name under which this process holds runs: `HOST:PID`."""
    return f"{socket.gethostname()}:{os.getpid()}"


@dataclass(frozen=True, slots=True)
class RunClaim:
    """A run that is this process's as long as its `fence` is the newest."""

    graph: Graph
    settings: Settings
    id: str
    fence: int

    @property
    def lease(self) -> timedelta:
        """How long the claim is valid after a sign of life."""
        return timedelta(seconds=self.settings.lease_seconds)

    @property
    def mark(self) -> str:
        """The mark of the run's processes under this claim."""
        return claim_mark(self.id, self.fence, graph_place(self.settings))

    def heartbeat(self, stop_run: Callable[[str], None]) -> Heartbeat:
        """Return a heartbeat that calls `stop_run` from its thread when the run has to end."""
        return Heartbeat(
            self.graph,
            self.id,
            self.fence,
            owner=process_owner(),
            seconds=self.settings.beat_seconds,
            lease=self.lease,
            stop_run=stop_run,
        )

    def reporter(self) -> GraphReporter:
        """Return a reporter of the run's events; it gives up after five seconds without Neo4j.

        `Reports` keeps such events and tries again.
        """
        return GraphReporter(
            self.graph.with_patience(_REPORT_SECONDS),
            self.id,
            self.fence,
            self.settings.max_event_age,
            self.settings.notify,
            self.lease,
        )
