"""The switch that stops a run."""

from collections.abc import Iterator
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import contextmanager, suppress
from threading import Timer

LOST = "LOST"
TIMED_OUT = "TIMEOUT"
TEARDOWN_SECONDS = 600.0


def describe_reason(reason: str) -> str:
    """Return the reason of a cancellation in words."""
    if reason == TIMED_OUT:
        return "the run took more than its timeout"
    return "the run was cancelled"


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

    @property
    def timed_out(self) -> bool:
        """Whether the run has to end because of its timeout."""
        return self.requested and self.reason == TIMED_OUT

    @property
    def message(self) -> str:
        """The reason in words."""
        return describe_reason(self.reason)

    @property
    def lets_clean_up(self) -> bool:
        """Whether teardowns still run: not in a process that has lost its run to another."""
        return not self.requested or self.reason != LOST

    def for_teardown(self) -> "Cancellation":
        """Return a switch for a teardown, which ends `TEARDOWN_SECONDS` after this one at last."""
        later = Cancellation()

        def end_later(requested: Future[str]) -> None:
            seconds = 0.0 if self.reason == LOST else TEARDOWN_SECONDS
            timer = Timer(seconds, later.request, [self.reason])
            timer.daemon = True
            timer.start()

        self.future.add_done_callback(end_later)
        return later

    @contextmanager
    def requested_after(self, seconds: float | None) -> Iterator[None]:
        """Meanwhile, request the end with TIMED_OUT after that many seconds; None for never."""
        if seconds is None:
            yield
            return
        timer = Timer(max(seconds, 0.0), self.request, [TIMED_OUT])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait at most that long for the request; return whether it came."""
        wait([self.future], timeout=seconds)
        return self.requested
