"""Submissions with large events, which are written a part at a time between those of others."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from lineagegraph.http.ingest.received import Received
from lineagegraph.http.ingest.waiting import Outcome, Submission
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.parts import split

Write = Callable[[list[Received]], list[Outcome]]


@dataclass
class Unfinished:
    """A submission with the outcomes of its small events, and the parts of its large ones."""

    submission: Submission
    outcomes: list[Outcome]
    large: deque[tuple[int, deque[Batch]]] = field(default_factory=deque)

    def write_part(self, write: Write) -> bool:
        """Write the next part of an event; False after the last one, when all is answered."""
        position, parts = self.large[0]
        event = replace(self.submission.events[position], batch=parts.popleft())
        (self.outcomes[position],) = write([event])
        if self.outcomes[position] or not parts:
            self.large.popleft()
        if not self.large:
            self.submission.answer(self.outcomes)
        return bool(self.large)


def answer_or_keep(group: list[Submission], write: Write) -> list[Unfinished]:
    """Write the small events of a group, and return the submissions that have large ones, too."""
    parts = {id(event): split(event.batch) for one in group for event in one.events}
    small = [event for one in group for event in one.events if len(parts[id(event)]) == 1]
    outcomes = iter(write(small) if small else [])
    unfinished = []
    for submission in group:
        large: deque[tuple[int, deque[Batch]]] = deque()
        found: list[Outcome] = []
        for position, event in enumerate(submission.events):
            is_small = len(parts[id(event)]) == 1
            found.append(next(outcomes) if is_small else None)
            if not is_small:
                large.append((position, deque(parts[id(event)])))
        if large:
            unfinished.append(Unfinished(submission, found, large))
        else:
            submission.answer(found)
    return unfinished


def write_whole(event: Received, write: Write) -> Outcome:
    """Write all parts of an event one after the other, up to the first that fails."""
    outcome: Outcome = None
    for part in split(event.batch):
        (outcome,) = write([replace(event, batch=part)])
        if outcome:
            break
    return outcome
