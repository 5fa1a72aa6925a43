"""Replay of a rule on a history, with the semantics of `react`."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from lineagegraph.model.triggers.condition import OnAbsent, OnFresh
from lineagegraph.model.triggers.cron import last_time, next_time
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.store.triggers.occurrences import Due
from lineagegraph.store.triggers.previews import PastOccurrence
from lineagegraph.triggers.condition_nodes import ConditionNode, node_properties
from lineagegraph.triggers.occurrences import Refused, occurrence_key, time_of, to_occurrence
from lineagegraph.triggers.preview.cells import Cells, Fired
from lineagegraph.triggers.preview.next_times import ReplayedTimes
from lineagegraph.triggers.preview.past import ReplayWindow


class Dates(NamedTuple):
    """Between which times the schedules of the started pipeline count."""

    start: datetime | None = None
    end: datetime | None = None


class Replay:
    """A rule that exists and is enabled from the beginning of a time.

    Each event is evaluated at once, and each due time at that time.
    """

    def __init__(
        self, rule: Trigger, nodes: Sequence[ConditionNode], time: ReplayWindow, dates: Dates
    ) -> None:
        self._rule = rule
        self._time = time
        self._dates = dates
        self._said = {node.id: node_properties(node) for node in nodes}
        self._nodes = {node.id: node.condition for node in nodes}
        self._cells = Cells(nodes, rule.pick)
        self._next = ReplayedTimes(nodes, time.since)
        self._fresh_until: dict[str, datetime] = {}
        self._begun_at: datetime | None = None
        self._reset_at = self._next_reset(time.since)
        self.refused: list[Refused] = []

    def fire(self, past: Iterable[PastOccurrence]) -> Iterator[Fired]:
        """Yield the firings in order; occurrences that do not count are in `refused`."""
        in_order = sorted(past, key=_moment)
        for (at, _), happened in groupby(in_order, key=_moment):
            yield from self._come(at)
            yield from self._judge(list(happened), at)
        yield from self._come(self._time.until + timedelta(microseconds=1))

    def _come(self, before: datetime) -> Iterator[Fired]:
        """Let the times of conditions come that are before a time, and the resets up to it."""
        for now, ids in self._next.take(before):
            self._reset(now)
            if self._is_between(now):
                yield from self._note([self._scheduled(id_, now) for id_ in ids], now)
        self._reset(before)

    def _judge(self, happened: Sequence[PastOccurrence], now: datetime) -> Iterator[Fired]:
        begun = {id_ for id_, at in _latest(happened) if self._begins(id_, at, now)}
        rows = []
        for one in happened:
            if one.condition_id in begun:
                found = to_occurrence(self._due(one))
                self.refused.append(found) if isinstance(found, Refused) else rows.append(found)
        yield from self._note(rows, now)

    def _begins(self, id_: str, at: datetime, now: datetime) -> bool:
        """Return whether an event is an occurrence, not the end or a repetition of a state."""
        match self._nodes[id_]:
            case OnAbsent():
                if self._next.postpone(id_, at, now):
                    self._cells.expire(condition_id=id_)
                return False
            case OnFresh(max_age=seconds):
                return self._be_fresh(id_, at, at + timedelta(seconds=seconds), now)
        return True

    def _note(self, rows: list[dict[str, Any]], now: datetime) -> Iterator[Fired]:
        yield from self._cells.fire(self._cells.note(rows, self._begun_at), now)

    def _reset(self, now: datetime) -> None:
        """Reset half-met conditions if their time has come."""
        reset = self._rule.reset
        if reset is not None and self._reset_at is not None and self._reset_at <= now:
            self._begun_at = last_time(reset.cron, reset.zone, self._reset_at, now)
            self._reset_at = self._next_reset(now)
            self._cells.expire(before=self._begun_at)

    def _be_fresh(self, id_: str, at: datetime, until: datetime, now: datetime) -> bool:
        """Note a longer freshness; return whether it has just begun."""
        was = self._fresh_until.get(id_)
        if until <= (was or now):
            return False
        self._fresh_until[id_] = until
        self._cells.last_until(id_, until)
        return was is None or at > was

    def key_of(self, one: PastOccurrence) -> str:
        """Return the key under which something is noted."""
        return occurrence_key(self._due(one))

    def _due(self, one: PastOccurrence) -> Due:
        said = self._said[one.condition_id]
        return Due(
            trigger_id="",
            condition_id=one.condition_id,
            operator=said["operator"],
            predicates=said["predicates"],
            correlate_by=self._rule.correlate_by,
            subject=one.subject,
            subject_id=one.subject_id,
            status=one.status,
            occurred_at=one.occurred_at,
            part=one.part,
            partition=one.partition,
            params=one.params,
            emitted=one.emitted,
            reported=one.reported,
            written=one.written,
        )

    def _scheduled(self, id_: str, at: datetime) -> dict[str, Any]:
        status = self._next.status(id_)
        return {
            "condition_id": id_,
            "cell_value": None,
            "key": f"{id_} {at.isoformat()} {status}",
            "status": status,
            "part": at.isoformat(),
            "occurred_at": at.isoformat(),
        }

    def _is_between(self, at: datetime) -> bool:
        start, end = self._dates
        return (start is None or at >= start) and (end is None or at <= end)

    def _next_reset(self, after: datetime) -> datetime | None:
        reset = self._rule.reset
        return next_time(reset.cron, reset.zone, after) if reset else None


def _moment(one: PastOccurrence) -> tuple[datetime, str]:
    """Return the time of an evaluation; one for all changes of a run."""
    return time_of(one.judged_at), one.judge or one.run_id or one.subject_id


def _latest(happened: Iterable[PastOccurrence]) -> list[tuple[str, datetime]]:
    """Return when something happened last for each condition."""
    latest: dict[str, datetime] = {}
    for one in happened:
        at = time_of(one.occurred_at)
        latest[one.condition_id] = max(at, latest.get(one.condition_id, at))
    return sorted(latest.items())
