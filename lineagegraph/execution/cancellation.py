"""The one switch that stops a run."""

from concurrent.futures import Future, InvalidStateError, wait
from contextlib import suppress


class Cancellation:
    """Asks a run to stop; `request` may be called from a signal handler and from any thread.

    `abandoned` has the paths of tasks whose Python code did not return when it was stopped. Their
    threads still run: a process that finds any here must leave by `os._exit`.
    """

    def __init__(self) -> None:
        self.future: Future[str] = Future()
        self.abandoned: list[str] = []

    def request(self, reason: str = "CANCELLED") -> None:
        """Ask for the end; the first reason counts."""
        with suppress(InvalidStateError):
            self.future.set_result(reason)

    @property
    def requested(self) -> bool:
        """Whether the run shall end."""
        return self.future.done()

    @property
    def reason(self) -> str:
        """The reason of the first request."""
        return self.future.result(timeout=0)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the request, at most that long; return whether it has come."""
        wait([self.future], timeout=seconds)
        return self.requested
