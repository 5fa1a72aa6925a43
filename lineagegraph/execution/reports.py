"""The way out for events: in order, none lost while the reporter is in trouble."""

from collections.abc import Sequence
from threading import Lock
from typing import Any, Protocol

from tenacity import Retrying, retry_if_result, stop_after_delay, wait_exponential

from lineagegraph.errors import RunError
from lineagegraph.execution.logs import Log


class Reporter(Protocol):
    """Where events go."""

    def report(self, events: Sequence[dict[str, Any]]) -> None:
        """Take OpenLineage RunEvents, and return when they are committed."""


class Reports:
    """Hands events to a reporter; those it raises on are handed to it again with the next ones."""

    def __init__(self, reporter: Reporter, log: Log, patience: float = 30.0) -> None:
        self._reporter = reporter
        self._log = log
        self._patience = patience
        self._lock = Lock()
        self._kept: list[dict[str, Any]] = []
        self._over = False
        self._error = ""

    @property
    def is_behind(self) -> bool:
        """Whether events are kept that could not be reported yet."""
        with self._lock:
            return bool(self._kept)

    def report(self, events: Sequence[dict[str, Any]]) -> None:
        """Report, or keep for later; after `finish` raise `RunError`."""
        with self._lock:
            if self._over:
                raise RunError("the run has ended; nothing more can be reported about it")
            self._kept.extend(events)
            if self._hand_over(self._kept):
                self._kept.clear()

    def finish(self, event: dict[str, Any]) -> None:
        """Report the last event and all that was kept; raise `RunError` if some can't be."""
        with self._lock:
            self._over = True
            self._kept.append(event)
            if self._insist():
                return
            self._kept = [kept for kept in self._kept if not self._hand_over([kept])]
            if self._kept:
                raise RunError(
                    f"run {event['run']['runId']} ended with {event['eventType']}, but "
                    f"{len(self._kept)} of its events could not be reported: {self._error}"
                )

    def _insist(self) -> bool:
        retrying = Retrying(
            retry=retry_if_result(lambda handed_over: not handed_over),
            wait=wait_exponential(multiplier=0.1, max=5),
            stop=stop_after_delay(self._patience),
            retry_error_callback=lambda state: False,
        )
        return retrying(self._hand_over, self._kept)

    def _hand_over(self, events: list[dict[str, Any]]) -> bool:
        try:
            self._reporter.report(list(events))
        except Exception as error:
            self._error = f"{type(error).__name__}: {error}"
            self._log.write(f"{len(events)} events not reported yet: {self._error}\n")
            return False
        return True
