"""The switch that stops a run."""

from concurrent.futures import Future, InvalidStateError, wait
from contextlib import suppress


class Cancellation:
    """Asks a run to stop; `request` may be called from a signal handler and from any thread.

    `abandoned` has the paths of tasks whose Python code did not return when it was stopped. Their
    threads still run: a process with any must exit by `os._exit`.
    """

    def __init__(self) -> None:
        self.future: Future[str] = Future()
        self.abandoned: list[str] = []

    def request(self, reason: str = "CANCELLED") -> None:
        """Request the end; the first reason counts."""
        with suppress(InvalidStateError):
            self.future.set_result(reason)

    @property
    def requested(self) -> bool:
        """Whether the run has to end."""
        return self.future.done()

    @property
    def reason(self) -> str:
        """The reason of the first request."""
        return self.future.result(timeout=0)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait at most that long for the request; return whether it came."""
        wait([self.future], timeout=seconds)
        return self.requested
