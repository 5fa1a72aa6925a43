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
    """Events that came together, and the future outcome of each."""

    events: list[Received]
    outcomes: "Future[list[Outcome]]" = field(default_factory=Future)

    @property
    def size(self) -> int:
        """How many characters the events have."""
        return sum(event.size for event in self.events)

    def answer(self, outcomes: list[Outcome]) -> None:
        """Set the outcomes of the events, unless the request was given up."""
        if self.outcomes.set_running_or_notify_cancel():
            self.outcomes.set_result(outcomes)


class WaitingRoom:
    """Submissions in order of arrival, up to a number of events and of bytes."""

    def __init__(self, most_events: int, most_bytes: int) -> None:
        self._most_events = most_events
        self._most_bytes = most_bytes
        self._waiting: deque[Submission] = deque()
        self._events = 0
        self._bytes = 0
        self._changed = Condition()

    def put(self, submission: Submission) -> bool:
        """Let events wait; False if there is no room. An empty room takes any number."""
        with self._changed:
            if self._events and not self._has_room(submission):
                return False
            self._add(submission, 1)
            self._waiting.append(submission)
            self._changed.notify()
            return True

    def take(self, most_events: int, seconds: float) -> list[Submission]:
        """Return waiting submissions: up to that many events, but at least one, if any comes.

        Those whose requests were given up are left out.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, seconds)
            taken: list[Submission] = []
            room = most_events
            while self._waiting and (not taken or len(self._waiting[0].events) <= room):
                submission = self._waiting.popleft()
                self._add(submission, -1)
                if not submission.outcomes.cancelled():
                    taken.append(submission)
                    room -= len(submission.events)
            return taken

    def hold(self, submission: Submission) -> None:
        """Count a submission that was taken as waiting, until it is released."""
        with self._changed:
            self._add(submission, 1)

    def release(self, submission: Submission) -> None:
        """Count a submission as waiting no longer."""
        with self._changed:
            self._add(submission, -1)

    def _has_room(self, submission: Submission) -> bool:
        events, size = len(submission.events), submission.size
        return self._events + events <= self._most_events and self._bytes + size <= self._most_bytes

    def _add(self, submission: Submission, sign: int) -> None:
        self._events += sign * len(submission.events)
        self._bytes += sign * submission.size
