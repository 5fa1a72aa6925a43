"""Schedules and their times, by the job they start and the job they wait for."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count as counted
from itertools import dropwhile, islice, takewhile
from typing import NamedTuple

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.triggers.condition import OnCron, OnInterval, OnStatus, leaves_of
from lineagegraph.model.triggers.cron import last_time, next_time, times_after
from lineagegraph.model.triggers.describe import describe_condition
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.queries.triggers.triggers import find_trigger
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.triggers import catalog, schedules, triggers
from lineagegraph.store.triggers.catalog import WholeTriggerRow
from lineagegraph.store.triggers.schedules import Program, ScheduledTime, ScheduleRow

_INSTANT = timedelta(microseconds=1)
_LONG_AGO = datetime(1, 1, 2, tzinfo=UTC)


class Schedule(NamedTuple):
    """A schedule and its rule."""

    row: ScheduleRow
    rule: Trigger


def check_application(graph: Graph, namespace: str, name: str, version: str | None) -> None:
    """Raise `NotFound` unless the application exists, and its version if one is given."""
    found = graph.read(
        schedules.get_application, namespace=namespace, application=name, version=version or ""
    )
    if found is None:
        raise NotFound(
            f"no application {name!r} in namespace {namespace!r}: add it with `lineagegraph sync`"
        )
    if version is not None and not found.has_version:
        raise NotFound(f"no version {version!r} of application {name!r}")


def list_in_application(graph: Graph, namespace: str, application: str) -> list[Schedule]:
    """Return the schedules of an application by name."""

    def ids(tx: Transaction) -> list[str]:
        return schedules.list_ids_in_application(tx, namespace=namespace, application=application)

    return graph.read(_list, ids)


def list_all_schedules(graph: Graph) -> list[Schedule]:
    """Return the schedules of all applications."""
    return graph.read(_list, schedules.list_ids)


def list_starting(graph: Graph, key: str) -> list[Schedule]:
    """Return the schedules that start the job of a key."""
    return graph.read(_list, lambda tx: triggers.list_starting(tx, job_key=key))


def list_set_off(graph: Graph, key: str, statuses: Iterable[str]) -> list[Schedule]:
    """Return the schedules that wait for the job of a key to reach one of the statuses."""
    wanted = list(statuses)
    return graph.read(_list, lambda tx: schedules.list_ids_set_off(tx, key=key, statuses=wanted))


def as_schedule(row: ScheduleRow) -> Schedule:
    """Return a schedule with its rule decoded."""
    return Schedule(row, read_stored(row.rule))


def watched_programs(graph: Graph, found: Iterable[Schedule]) -> dict[tuple[str, str], Program]:
    """Return the programs that schedules wait for and that are not gone, by namespace and name."""
    names = {
        (leaf.namespace or row.namespace, leaf.job)
        for row, rule in found
        for leaf in leaves_of(rule.when)
        if isinstance(leaf, OnStatus)
    }
    rows = [{"namespace": namespace, "name": name} for namespace, name in sorted(names)]
    programs = graph.read(schedules.list_programs, rows=rows)
    there = (program for program in programs if not program.is_gone)
    return {(program.namespace, program.name): program for program in there}


def list_next(graph: Graph, key: str) -> list[tuple[str, datetime]]:
    """Return the next times of a job's enabled schedules, with their names."""
    times = [(time.name, _next(time)) for time in _times(graph, key)]
    return [(name, at) for name, at in times if at is not None]


def list_previous(graph: Graph, key: str) -> list[tuple[str, datetime]]:
    """Return their last times since they were enabled."""
    times = [(time, _before(time)) for time in _times(graph, key)]
    return [(time.name, at) for time, at in times if at >= _since(time)]


def _list(tx: Transaction, ids: Callable[[Transaction], list[str]]) -> list[Schedule]:
    return [as_schedule(row) for row in schedules.list_schedules(tx, ids=ids(tx))]


def _times(graph: Graph, key: str) -> list[ScheduledTime]:
    def times(tx: Transaction) -> list[ScheduledTime]:
        return schedules.list_times(tx, ids=triggers.list_starting(tx, job_key=key))

    return graph.read(times)


def _next(time: ScheduledTime) -> datetime | None:
    """Return a schedule's next time between the dates of the pipeline."""
    at, start = time.next_at, time.start_date
    if start is not None and at < start and time.cron:
        at = next_time(time.cron, time.zone or "", start - _INSTANT)
    elif start is not None and at < start and time.span:
        span = timedelta(seconds=time.span)
        at -= (at - start) // span * span
    return None if time.end_date is not None and at > time.end_date else at


def _since(time: ScheduledTime) -> datetime:
    return max(time.enabled_at, time.start_date or time.enabled_at)


def _before(time: ScheduledTime) -> datetime:
    until = min(time.next_at, (time.end_date or time.next_at) + _INSTANT)
    if time.cron and time.zone:
        return last_time(time.cron, time.zone, _LONG_AGO, until - _INSTANT)
    span = timedelta(seconds=time.span or 1)
    return time.next_at + (until - time.next_at - _INSTANT) // span * span


class NextTimes(msgspec.Struct, frozen=True):
    """The next times of one schedule, if its trigger stays unchanged and enabled."""

    schedule: str
    times: tuple[datetime, ...]


def read_next(graph: Graph, name: str, count: int = 5) -> list[NextTimes]:
    """Return the next times of a trigger's schedules; empty if it has none."""
    trigger = find_trigger(graph, name)
    if trigger.rule is None:
        return []
    now = graph.read(get_time)
    rows = graph.read(catalog.walk_conditions, id=trigger.id)
    due = {row.text: row.next_at for row in rows}
    return [
        NextTimes(
            said, tuple(islice(_within(trigger, _schedule_times(leaf, due.get(said), now)), count))
        )
        for leaf in leaves_of(read_stored(trigger.rule).when)
        if isinstance(leaf, OnCron | OnInterval) and (said := describe_condition(leaf))
    ]


def _within(trigger: WholeTriggerRow, times: Iterator[datetime]) -> Iterator[datetime]:
    """Yield the times between the dates of the pipeline that is started."""
    start, end = trigger.start_date, trigger.end_date
    later = dropwhile(lambda at: start is not None and at < start, times)
    return takewhile(lambda at: end is None or at <= end, later)


def _schedule_times(
    leaf: OnCron | OnInterval, next_at: datetime | None, now: datetime
) -> Iterator[datetime]:
    if isinstance(leaf, OnCron):
        return times_after(leaf.cron, leaf.zone, now)
    span = timedelta(seconds=leaf.seconds)
    return ((next_at or now + span) + i * span for i in counted())
