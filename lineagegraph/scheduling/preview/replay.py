"""What a rule would have fired on a history, as `react` has it fire on what happens."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from lineagegraph.model.condition import OnAbsent, OnFresh
from lineagegraph.model.cron import last_time, next_time
from lineagegraph.model.trigger import Trigger
from lineagegraph.scheduling.condition_nodes import Node, node_properties
from lineagegraph.scheduling.notice import Refused, notice, occurrence_key, time_of
from lineagegraph.scheduling.preview.cells import Cells, Fired
from lineagegraph.scheduling.preview.past import Window
from lineagegraph.scheduling.times import TIMED, first_time
from lineagegraph.store.occurrences import Due, TimedCondition
from lineagegraph.store.previews import Past


class Dates(NamedTuple):
    """Between which times the schedules of the started pipeline count."""

    start: datetime | None = None
    end: datetime | None = None


class Replay:
    """A rule that is there, and enabled, from the beginning of a time on.

    Whatever happened is told of at once, and whatever time comes is looked at then.
    """

    def __init__(self, rule: Trigger, nodes: Sequence[Node], time: Window, dates: Dates) -> None:
        self._rule = rule
        self._time = time
        self._dates = dates
        self._said = {node.id: node_properties(node) for node in nodes}
        self._nodes = {node.id: node.condition for node in nodes}
        self._cells = Cells(nodes, rule.pick)
        self._next = dict(_first_times(self._said, time.since))
        self._fresh_until: dict[str, datetime] = {}
        self._begun_at: datetime | None = None
        self._reset_at = self._next_reset(time.since)
        self.refused: list[Refused] = []

    def fire(self, past: Iterable[Past]) -> Iterator[Fired]:
        """Yield what fires, in order; what does not count is in `refused`."""
        in_order = sorted(past, key=_moment)
        for (at, _), happened in groupby(in_order, key=_moment):
            yield from self._come(at)
            yield from self._judge(list(happened), at)
        yield from self._come(self._time.until + timedelta(microseconds=1))

    def _come(self, before: datetime) -> Iterator[Fired]:
        """Let the times of conditions come that are before a time, and the resets up to it."""
        while due := [at for at in self._next.values() if at is not None and at < before]:
            now = min(due)
            self._reset(now)
            ids = sorted(id_ for id_, at in self._next.items() if at == now)
            self._next |= {id_: self._time_after(id_, now) for id_ in ids}
            if self._is_between(now):
                yield from self._note([self._scheduled(id_, now) for id_ in ids], now)
        self._reset(before)

    def _judge(self, happened: Sequence[Past], now: datetime) -> Iterator[Fired]:
        latest = {one.condition_id: one for one in sorted(happened, key=_occurred_at)}
        begun = set()
        for id_, one in sorted(latest.items()):
            if isinstance(self._nodes[id_], OnAbsent):
                self._be_present(id_, _occurred_at(one), now)
            elif isinstance(self._nodes[id_], OnFresh) and self._be_fresh(id_, one, now):
                begun.add(id_)
        rows = []
        for one in happened:
            leaf = self._nodes[one.condition_id]
            if isinstance(leaf, OnAbsent) or (
                isinstance(leaf, OnFresh) and one.condition_id not in begun
            ):
                continue
            found = notice(self._due(one))
            self.refused.append(found) if isinstance(found, Refused) else rows.append(found)
        yield from self._note(rows, now)

    def _note(self, rows: list[dict[str, Any]], now: datetime) -> Iterator[Fired]:
        yield from self._cells.fire(self._cells.note(rows, self._begun_at), now)

    def _reset(self, now: datetime) -> None:
        """Let what is half met begin anew where the time for it has come."""
        reset = self._rule.reset
        if reset is not None and self._reset_at is not None and self._reset_at <= now:
            self._begun_at = last_time(reset.cron, reset.zone, self._reset_at, now)
            self._reset_at = self._next_reset(now)
            self._cells.expire(before=self._begun_at)

    def _be_present(self, id_: str, at: datetime, now: datetime) -> None:
        later = at + timedelta(seconds=self._said[id_]["span"])
        if later > (self._next[id_] or now):
            self._next[id_] = later
            self._cells.expire(condition_id=id_)

    def _be_fresh(self, id_: str, one: Past, now: datetime) -> bool:
        """Note that something is fresh for longer; say whether this has just begun."""
        at, was = _occurred_at(one), self._fresh_until.get(id_)
        until = at + timedelta(seconds=self._said[id_]["lasts"])
        if until <= (was or now):
            return False
        self._fresh_until[id_] = until
        self._cells.last_until(id_, until)
        return was is None or at > was

    def key_of(self, one: Past) -> str:
        """Return the key under which something is noted."""
        return occurrence_key(self._due(one))

    def _due(self, one: Past) -> Due:
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
        )

    def _scheduled(self, id_: str, at: datetime) -> dict[str, Any]:
        status = "ABSENT" if self._said[id_]["operator"] == "ABSENT" else "DUE"
        return {
            "condition_id": id_,
            "cell_value": None,
            "key": f"{id_} {at.isoformat()} {status}",
            "status": status,
            "part": at.isoformat(),
            "occurred_at": at.isoformat(),
        }

    def _time_after(self, id_: str, now: datetime) -> datetime | None:
        """Return the next time; an absence has none until what it awaits has been there."""
        timed = _timed(id_, self._said[id_])
        return None if timed.operator == "ABSENT" else first_time(timed, now)

    def _is_between(self, at: datetime) -> bool:
        start, end = self._dates
        return (start is None or at >= start) and (end is None or at <= end)

    def _next_reset(self, after: datetime) -> datetime | None:
        reset = self._rule.reset
        return next_time(reset.cron, reset.zone, after) if reset else None


def _first_times(
    said: dict[str, dict[str, Any]], since: datetime
) -> Iterator[tuple[str, datetime | None]]:
    for id_, properties in said.items():
        timed = _timed(id_, properties)
        if timed.operator in TIMED:
            yield id_, first_time(timed, since)


def _timed(id_: str, said: dict[str, Any]) -> TimedCondition:
    return TimedCondition(id_, said["operator"], said["cron"], said["zone"], said["span"])


def _moment(one: Past) -> tuple[datetime, str]:
    """Return when a rule is asked; what one run made true it is asked at once."""
    return time_of(one.judged_at), one.run_id or one.subject_id


def _occurred_at(one: Past) -> datetime:
    return time_of(one.occurred_at)
