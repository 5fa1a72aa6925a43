"""Group commit: events that arrive during a transaction share the next one."""

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, Thread
from typing import NamedTuple

import structlog

from lineagegraph.errors import GraphBusy, LineagegraphError
from lineagegraph.http.ingest.counts import IngestCounts
from lineagegraph.http.ingest.disk_room import DiskRoom
from lineagegraph.http.ingest.received import Received
from lineagegraph.http.ingest.replay import SpoolReplay
from lineagegraph.http.ingest.spool import IngestSpool
from lineagegraph.http.ingest.unfinished import Unfinished, answer_or_keep
from lineagegraph.http.ingest.waiting import Outcome, Submission, WaitingRoom
from lineagegraph.http.ingest.writer import AWAY, Writer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.ingest.parts import split


def _is_small(events: list[Received]) -> bool:
    return len(events) == 1 and len(split(events[0].batch)) == 1


log = structlog.get_logger()
_PROBE_SECONDS = 1.0


class Absence:
    """The time in which Neo4j does not answer; `is_away` asks it, at most once a second."""

    def __init__(self, is_away: Callable[[], bool]) -> None:
        self._is_away = is_away
        self._error: LineagegraphError | None = None
        self._ask_at = 0.0

    def begin(self, error: LineagegraphError) -> None:
        """Note that Neo4j did not answer; while that is known, the next time to ask stays."""
        if not self._error:
            log.warning("neo4j_away", error=str(error))
            self._error = error
            self._ask_at = time.monotonic() + _PROBE_SECONDS

    def lasts(self) -> LineagegraphError | None:
        """Return why Neo4j cannot be used, if it was away and has not come back."""
        if self._error and time.monotonic() >= self._ask_at:
            if self._is_away():
                self._ask_at = time.monotonic() + _PROBE_SECONDS
            else:
                log.info("neo4j_back")
                self._error = None
        return self._error


class SetAside(NamedTuple):
    """Events that have waited too long, and whether they are on disk."""

    seconds: float
    is_kept: Future[bool]

    def as_refusal(self) -> RequestRefused:
        """Return the answer to their sender, once it is known whether they are kept."""
        if self.is_kept.result():
            rest = ", as Neo4j hangs or is busy: the events are kept, and written later"
        else:
            rest = ", and the spool is full: send it again later"
        reason = f"not written after {self.seconds:.0f} s{rest}"
        return RequestRefused(503, reason, retry_after=_RETRY_SECONDS)


MOST_EVENTS = 500
# Spooled events that are written at a time; fewer while others arrive, which must not wait.
_REPLAYED = 200
_REPLAYED_BESIDE = 50
_LOOK_SECONDS = 0.25
_REPLAY_SECONDS = 1.0
_STOP_SECONDS = 20.0
_RETRY_SECONDS = 5
_RESTART_SECONDS = 1.0


class GroupCommit:
    """Writes submissions in a thread, and answers each after the commit that has its events.

    While Neo4j is away, events go to the spool instead, and the answer says so.
    """

    def __init__(
        self,
        writer: Writer,
        spool: IngestSpool,
        room: WaitingRoom,
        disk: DiskRoom,
        stall_seconds: float,
    ) -> None:
        self._stall_seconds = stall_seconds
        self._is_stalled = False
        self._writer = writer
        self._spool = spool
        self._room = room
        self._disk = disk
        self._is_over = Event()
        self._absence = Absence(writer.is_away)
        self._replay: SpoolReplay | None = None
        self._is_replaying = False
        self._replay_at = 0.0
        self._spooled = 0
        self._is_working = False
        self._has_planned = False
        self._unfinished: deque[Unfinished] = deque()
        self._thread = Thread(target=self._run, name="group-commit", daemon=True)

    def start(self) -> None:
        """Start writing; spooled events come first."""
        self._thread.start()

    def stop(self) -> None:
        """Write or spool waiting events, and end."""
        self._is_over.set()
        self._thread.join(_STOP_SECONDS)

    def counts(self) -> IngestCounts:
        """Return the outcomes of the events so far."""
        writer = self._writer
        return IngestCounts(writer.written, writer.refused, self._spooled, self._spool.size())

    def submit(self, events: list[Received]) -> "list[Future[list[Outcome]]]":
        """Queue events to be written; raise `RequestRefused` if too many wait already."""
        if self._is_over.is_set():
            raise RequestRefused(503, "lineagegraph is stopping", retry_after=5)
        starts = range(0, len(events), MOST_EVENTS)
        submissions = [Submission(events[start : start + MOST_EVENTS]) for start in starts]
        for submission in submissions:
            if not self._room.put(submission):
                raise RequestRefused(503, "too many events wait to be written", retry_after=1)
        return [submission.outcomes for submission in submissions]

    def set_aside(self, events: list[Received], waited: float) -> "SetAside | None":
        """Begin to keep events on disk that have waited too long; None for others.

        A batch or a large event may take its time: it is kept only if Neo4j stalls.
        """
        stalled = self._writer.stalled_seconds
        seconds = waited if _is_small(events) else stalled(self._stall_seconds)
        if not seconds:
            return None
        if not self._is_stalled:
            log.warning("neo4j_stalled", seconds=round(seconds, 1))
            self._is_stalled = True
        kept = self._spool.start_keeping(event.line for event in events)
        kept.add_done_callback(lambda done: self._count_spooled(len(events), done))
        return SetAside(seconds, kept)

    def _count_spooled(self, events: int, kept: Future[bool]) -> None:
        if kept.result():
            self._spooled += events

    @property
    def is_running(self) -> bool:
        """Whether events are written in time, and fire if there are triggers.

        Neo4j has planned how then, or is away.
        """
        return self._is_working and self._has_planned

    def _plan_triggers(self) -> None:
        try:
            self._writer.plan_triggers()
        except Exception:
            log.exception("triggers_not_planned")
        self._has_planned = True

    def _run(self) -> None:
        while True:
            try:
                return self._work()
            except Exception:
                self._is_working = False
                log.exception("ingestion_failed", action="starting it again")
                if self._is_over.wait(_RESTART_SECONDS):
                    return None

    def _work(self) -> None:
        if error := self._writer.plan_events():
            self._absence.begin(error)
        self._is_working = True
        if not self._has_planned:
            self._has_planned = not self._writer.has_triggers()
            Thread(target=self._plan_triggers, name="plan-triggers", daemon=True).start()
        while True:
            is_last = self._is_over.is_set()
            is_idle = not (is_last or self._unfinished or self._is_replaying)
            group = self._room.take(MOST_EVENTS, _LOOK_SECONDS if is_idle else 0)
            for unfinished in answer_or_keep(group, self._try) if group else ():
                self._room.hold(unfinished.submission)
                self._unfinished.append(unfinished)
            if self._unfinished:
                self._write_part(self._unfinished.popleft())
            if not is_last:
                self._empty_spool(_REPLAYED_BESIDE if group else _REPLAYED)
            elif not (group or self._unfinished):
                return

    def _write_part(self, unfinished: Unfinished) -> None:
        """Write a part of a large event; then the others, and other large events, have a turn."""
        if unfinished.write_part(self._try):
            self._unfinished.append(unfinished)
        else:
            self._room.release(unfinished.submission)

    def _try(self, events: list[Received]) -> list[Outcome]:
        try:
            return self._write(events)
        except Exception as error:
            # Whatever it is: nobody may wait for ever, and the next group gets its chance.
            log.exception("events_not_written")
            return [GraphBusy(f"not written: {error}")] * len(events)

    def _write(self, events: list[Received]) -> list[Outcome]:
        if error := self._hindrance():
            outcomes: list[Outcome] = [error] * len(events)
        else:
            outcomes = self._writer.write(events)
        self._is_stalled = False
        lost = [(e, why) for e, why in zip(events, outcomes, strict=True) if isinstance(why, AWAY)]
        if lost:
            self._absence.begin(lost[0][1])
            if self._spool.keep(event.line for event, _ in lost):
                self._spooled += len(lost)
        return outcomes

    def _hindrance(self) -> LineagegraphError | None:
        """Return why nothing can be written now."""
        return self._absence.lasts() or self._disk.lack()

    def _empty_spool(self, most: int) -> None:
        """SpoolReplay some events of the oldest file, if there is one and Neo4j answers."""
        self._is_replaying = False
        if time.monotonic() < self._replay_at:
            return
        try:
            if self._hindrance():
                return
            is_done = self._replay_some(most)
        except Exception:
            log.exception("spool_not_replayed")
            self._replay, is_done = None, False
        if is_done:
            self._is_replaying = self._replay is not None
        else:
            self._replay_at = time.monotonic() + _REPLAY_SECONDS

    def _replay_some(self, most: int) -> bool:
        if self._replay is None and (path := self._spool.oldest()):
            self._replay = SpoolReplay(self._spool, path)
        if self._replay is None:
            return True
        if not self._replay.write_some(self._writer, most):
            return False
        if not self._replay.is_over:
            return True
        replay, self._replay = self._replay, None
        return replay.finish()
