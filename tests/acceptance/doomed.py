"""Processes that commit events, and that do a daemon's work, and are killed while they do it.

Such a process dies at a step that is told to it: a step is a statement, the moment before a commit,
or the one after it, when nobody has been told yet that it happened.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from lineagegraph.errors import GraphBusy
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reactions.commit import commit
from lineagegraph.runs.reap import reap_run
from lineagegraph.runs.report import GraphReporter
from lineagegraph.store.runs import launches
from lineagegraph.triggers.held import release_held
from lineagegraph.triggers.react import react, react_to_missed
from tests.events import run_event

MAX_EVENT_AGE = timedelta(hours=1)
LEASE = timedelta(seconds=2)
BATCH = 5


class Fate:
    """Kills this process at a step; None lets it live."""

    def __init__(self, last_step: int | None) -> None:
        self._left = last_step

    def step(self) -> None:
        if self._left is None:
            return
        self._left -= 1
        if self._left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)


class DoomedTransaction:
    """A transaction each statement of which may be the last thing that its process does."""

    def __init__(self, tx: Transaction, fate: Fate) -> None:
        self._tx, self._fate = tx, fate

    def run(self, *args: Any) -> Any:
        self._fate.step()
        return self._tx.run(*args)


class DoomedGraph(Graph):
    """A connection of a process that dies at one of its writes."""

    def __init__(self, server: ServerAddress, last_step: int | None) -> None:
        super().__init__(server.bolt, server.user, server.password)
        self._fate = Fate(last_step)

    def write(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        def doomed(tx: Transaction) -> Any:
            found = work(DoomedTransaction(tx, self._fate), *args, **kwargs)
            self._fate.step()
            return found

        while True:
            # Daemons and producers try again what a busy database refused.
            with suppress(GraphBusy):
                found = super().write(doomed)
                self._fate.step()
                return found


def write_events(
    server: ServerAddress, events: list[dict[str, Any]], noted: Path, last_step: int | None
) -> None:
    """Commit events in order; what a process before this one has noted as done is left out.

    Every other batch is first recorded and then judged, which daemons may do at the same time.
    """
    with DoomedGraph(server, last_step) as graph:
        done = int((noted.exists() and noted.read_text()) or 0)
        while done < len(events):
            batch = events[done : done + BATCH]
            if done // BATCH % 2:
                graph.write(commit, extract(batch))
            else:
                graph.write(record, extract(batch))
                graph.write(react, [event["run"]["runId"] for event in batch])
            done += BATCH
            noted.write_text(str(done))


def tick(server: ServerAddress, over: Path, last_step: int | None) -> None:
    """Do what a daemon and its workers do, again and again until a file says that it is over."""
    with DoomedGraph(server, last_step) as graph:
        while not over.exists():
            react_to_missed(graph, max_event_age=MAX_EVENT_AGE)
            release_held(graph)
            for lost in graph.read(launches.due_lost, now=None):
                reap_run(graph, lost, MAX_EVENT_AGE)
            for run_id, job in limited(graph):
                work(graph, run_id, job)
            time.sleep(0.01)


def limited(graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield queued runs that take a slot; others may wait for ever."""
    rows = graph.query(
        "MATCH (r:Run {launch: 'QUEUED'})<-[:HAS_RUN]-(j)<-[:STARTS]-(:Trigger {limited: true}) "
        "WHERE r.queued_at <= datetime.realtime() RETURN r.id AS id, j.fqn AS job LIMIT 1"
    )
    yield from ((row["id"], row["job"]) for row in rows)


def work(graph: Graph, run_id: str, job: str) -> None:
    """Take a run and complete it, if nobody else was faster."""
    claim = graph.write(
        launches.claim_run, id=run_id, owner="test", lease=LEASE, claim=None, now=None
    )
    if claim:
        ends = run_event(job, run_id=run_id)
        GraphReporter(graph, run_id, claim.fence, MAX_EVENT_AGE).report([ends])
