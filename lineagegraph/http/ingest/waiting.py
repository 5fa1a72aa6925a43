"""Where events wait to be written: bounded, so that a flood is refused and not swallowed."""

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Condition

from lineagegraph.errors import LineagegraphError
from lineagegraph.http.ingest.received import Received

# None: it is in the graph. Otherwise why it is not.
Outcome = LineagegraphError | None


@dataclass(frozen=True, slots=True)
class Submission:
    """Events that came together, and what will be said of each."""

    events: list[Received]
    outcomes: "Future[list[Outcome]]" = field(default_factory=Future)

    def answer(self, outcomes: list[Outcome]) -> None:
        """Say what became of the events, unless nobody waits any more."""
        if self.outcomes.set_running_or_notify_cancel():
            self.outcomes.set_result(outcomes)


class WaitingRoom:
    """Submissions in order of arrival."""

    def __init__(self, most_events: int) -> None:
        self._most_events = most_events
        self._waiting: deque[Submission] = deque()
        self._count = 0
        self._changed = Condition()

    def put(self, submission: Submission) -> bool:
        """Let events wait; False where there is no room. An empty room takes any number."""
        with self._changed:
            if self._count and self._count + len(submission.events) > self._most_events:
                return False
            self._waiting.append(submission)
            self._count += len(submission.events)
            self._changed.notify()
            return True

    def take(self, most_events: int, seconds: float) -> list[Submission]:
        """Return what waits, up to that many events but at least one submission, if any comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, seconds)
            taken: list[Submission] = []
            room = most_events
            while self._waiting and (not taken or len(self._waiting[0].events) <= room):
                taken.append(self._waiting.popleft())
                room -= len(taken[-1].events)
            self._count -= most_events - room
            return taken
