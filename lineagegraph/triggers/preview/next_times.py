"""The times of conditions in a replay: of schedules, of intervals, and of absences."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from lineagegraph.store.triggers.occurrences import TimedCondition
from lineagegraph.triggers.condition_nodes import ConditionNode, node_properties
from lineagegraph.triggers.times import TIMED, first_time

ABSENT = "ABSENT"


class ReplayedTimes:
    """When each condition of a rule comes next, which is there from a time on."""

    def __init__(self, nodes: Sequence[ConditionNode], since: datetime) -> None:
        timed = map(_timed, nodes)
        self._timed = {one.condition_id: one for one in timed if one.operator in TIMED}
        self._next: dict[str, datetime | None] = {
            id_: first_time(one, since) for id_, one in self._timed.items()
        }

    def take(self, before: datetime) -> Iterator[tuple[datetime, list[str]]]:
        """Yield each time before one, with the conditions that come then; they go on from there."""
        while due := [at for at in self._next.values() if at is not None and at < before]:
            now = min(due)
            ids = sorted(id_ for id_, at in self._next.items() if at == now)
            self._next |= {id_: self._after(id_, now) for id_ in ids}
            yield now, ids

    def postpone(self, id_: str, at: datetime, now: datetime) -> bool:
        """Note the presence of an awaited absence; return whether its wait begins again."""
        later = at + timedelta(seconds=self._timed[id_].span or 0.0)
        if later <= (self._next[id_] or now):
            return False
        self._next[id_] = later
        return True

    def status(self, id_: str) -> str:
        """Return the occurrence at the time of a condition."""
        return ABSENT if self._timed[id_].operator == ABSENT else "DUE"

    def _after(self, id_: str, now: datetime) -> datetime | None:
        """Return the next time; an absence has none until its first presence."""
        timed = self._timed[id_]
        return None if timed.operator == ABSENT else first_time(timed, now)


def _timed(node: ConditionNode) -> TimedCondition:
    said = node_properties(node)
    return TimedCondition(node.id, said["operator"], said["cron"], said["zone"], said["span"])
