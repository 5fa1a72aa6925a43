"""A task that runs in the process of a cluster."""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, NoReturn

from lineagegraph.errors import RunError, RunKilled
from lineagegraph.execution.attempt_end import AttemptEnd
from lineagegraph.execution.clusters.child import ClusterProcess, Inbox
from lineagegraph.execution.clusters.messages import ClusterOrder
from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds.work import EndedElsewhere
from lineagegraph.execution.plan import Step
from lineagegraph.spark.tables.guard import check_may_publish


class ClusterWork:
    """Runs one attempt in the process of a cluster, which may have to start first."""

    def __init__(
        self,
        step: Step,
        cluster: str,
        ready: Callable[[], "Future[ClusterProcess]"],
        emitted: Emitted,
        number: int,
    ) -> None:
        self._step = step
        self._cluster = cluster
        self._ready = ready
        self._emitted = emitted
        self._attempt = number
        self._stopped: Future[None] = Future()
        self._running: tuple[ClusterProcess, int] | None = None

    def run(self) -> None:
        """Wait for the end, and raise it."""
        child = self._child()
        step = self._step
        number, inbox = child.attempt(step.path, self._attempt, step.received)
        self._running = child, number
        if self._stopped.done():
            child.send(ClusterOrder(id=number, stop=True))
        self._end(self._follow(child, number, inbox))

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Ask the process to stop the attempt."""
        self._stopped.set_result(None)
        if self._running:
            child, number = self._running
            child.send(ClusterOrder(id=number, stop=True))
        # The process gives the code the grace time; then it says how that went.
        returned(grace + 2)

    def _child(self) -> ClusterProcess:
        ready = self._ready()
        either: list[Future[Any]] = [ready, self._stopped]
        wait(either, return_when=FIRST_COMPLETED)
        if self._stopped.done():
            raise RunKilled("the task was stopped before its cluster was ready")
        return ready.result()

    def _follow(self, child: ClusterProcess, number: int, inbox: Inbox) -> AttemptEnd:
        while (reply := inbox.get()) is not None:
            if reply.asks:
                child.send(ClusterOrder(id=number, answer=True, fault=_fault()))
            if reply.end and not reply.end.abandoned:
                return reply.end
        raise RunError(f"the process of cluster {self._cluster} ended with {child.exit}")

    def _end(self, end: AttemptEnd) -> NoReturn:
        self._emitted.add(end.emitted)
        raise EndedElsewhere(end.outcome)


def _fault() -> str | None:
    try:
        check_may_publish()
    except Exception as error:
        return str(error)
    return None
