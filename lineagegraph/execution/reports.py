"""Deliver events to a reporter: in order, and without loss while the reporter fails."""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Protocol

from lineagegraph.errors import GraphError, GraphUnreachable, QueryRefused, RunError
from lineagegraph.execution.logs import Log
from lineagegraph.execution.spool import RunSpool
from lineagegraph.ingest.masking import mask_event

_POLL_SECONDS = 0.5


class EventReporter(Protocol):
    """Takes the events of a run."""

    def report(self, events: Sequence[dict[str, Any]]) -> None:
        """Take OpenLineage RunEvents, and return when they are committed."""


def is_refusal(error: Exception) -> bool:
    """Return whether a report failed because of its events, and not of the graph."""
    return isinstance(error, QueryRefused) or not isinstance(error, GraphError)


class Reports:
    """Passes events to a reporter, and retries failed ones together with later ones.

    An event that is refused does not keep later ones: it is tried again at the end. Uncommitted
    events are in `spool`. While the graph is away, tasks do not wait for it, and that time does not
    count for `patience` (in seconds).
    """

    def __init__(
        self, reporter: EventReporter, log: Log, spool: Path, patience: float = 30.0
    ) -> None:
        self._reporter = reporter
        self._log = log
        self._spool = RunSpool(spool)
        self._patience = patience
        self._lock = Lock()
        self._turn = Lock()
        self._kept: list[dict[str, Any]] = []
        self._refused: list[dict[str, Any]] = []
        self._is_refused = False
        self._over = False
        self._done = Event()
        self._again: Thread | None = None
        self._is_away = False
        self._error = ""

    @property
    def is_behind(self) -> bool:
        """Whether events are kept that could not be reported yet; only this process has them."""
        with self._lock:
            return bool(self._kept or self._refused)

    def report(self, events: Sequence[dict[str, Any]]) -> None:
        """Report events, or keep them for a retry; raise `RunError` after `finish`."""
        self._keep(events)
        if not self._is_away and not self._hand_over():
            self._try_again_later()

    def finish(self, event: dict[str, Any]) -> None:
        """Report the last event and all kept ones; raise `RunError` if some cannot be."""
        self._keep([event], is_last=True)
        self._done.set()
        self._retry_refused()
        if not self._insist():
            self._hand_over_singly()
        if left := len(self._refused) + len(self._kept):
            raise RunError(
                f"run {event['run']['runId']} ended with {event['eventType']}, but "
                f"{left} of its events could not be reported: {self._error}"
            )

    def _keep(self, events: Sequence[dict[str, Any]], *, is_last: bool = False) -> None:
        events = [mask_event(event) for event in events]
        with self._lock:
            if self._over:
                raise RunError("the run has ended: it accepts no more events")
            self._over = is_last
            self._kept.extend(events)
            self._spool.append(events)

    def _hand_over(self) -> bool:
        """Pass on all kept events; one thread at a time does, so they stay in order."""
        with self._turn:
            with self._lock:
                events = list(self._kept)
            done = self._take_all(events) if events else 0
            with self._lock:
                del self._kept[:done]
                if not self._kept:
                    self._spool.clear(but=self._refused)
        return done == len(events)

    def _take_all(self, events: list[dict[str, Any]]) -> int:
        """Report events, in halves after a refusal, and return how many are done with."""
        if self._take(events):
            return len(events)
        if not self._is_refused:
            return 0
        if len(events) == 1:
            self._refused += events
            job, kind = events[0].get("job", {}).get("name"), events[0].get("eventType")
            self._write_log(f"{kind} of {job} is refused, and tried again when the run ends\n")
            return 1
        middle = len(events) // 2
        done = self._take_all(events[:middle])
        return done if done < middle else middle + self._take_all(events[middle:])

    def _retry_refused(self) -> None:
        """Put refused events back before the others, for a last try."""
        with self._turn, self._lock:
            self._kept[:0] = self._refused
            self._refused = []

    def _take(self, events: list[dict[str, Any]]) -> bool:
        try:
            self._reporter.report(events)
        except Exception as error:
            self._is_away = isinstance(error, GraphUnreachable)
            self._is_refused = is_refusal(error)
            self._error = f"{type(error).__name__}: {error}"
            self._write_log(f"{len(events)} events not reported yet: {self._error}\n")
            return False
        self._is_away = False
        return True

    def _insist(self) -> bool:
        pause, until = 0.1, time.monotonic() + self._patience
        while not self._hand_over():
            if self._is_away:
                until = time.monotonic() + self._patience
            elif time.monotonic() > until:
                return False
            time.sleep(pause)
            pause = min(pause * 2, _POLL_SECONDS)
        return True

    def _hand_over_singly(self) -> None:
        self._kept = [kept for kept in self._kept if not self._take([kept])]

    def _try_again_later(self) -> None:
        self._spool.sync()
        with self._lock:
            if self._again is None:
                self._again = Thread(target=self._try_again, name="reports", daemon=True)
                self._again.start()

    def _try_again(self) -> None:
        while not self._done.wait(_POLL_SECONDS):
            if not self._hand_over():
                continue
            with self._lock:
                # What came while the others were handed over was left to this thread.
                if not self._kept:
                    self._again = None
                    return

    def _write_log(self, text: str) -> None:
        # A full disk must not end the task that reports.
        with suppress(OSError):
            self._log.write(text)
