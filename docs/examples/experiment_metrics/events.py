"""The events that the scheduler and Spark send while the workflows run."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

from docs.examples.experiment_metrics.facets import PRODUCER
from docs.examples.experiment_metrics.levels import Level, job_facets, run_facets
from docs.examples.experiment_metrics.periods import Period, hours, whole_day
from docs.examples.experiment_metrics.story import (
    DAILY,
    DAYS,
    FAILURE,
    HOURLY,
    REGIONS,
    Task,
    Workflow,
)
from docs.examples.experiment_metrics.tables import read_table, written_table

Event = dict[str, Any]
_SCHEMA = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"


def make_events(days: Iterable[date] = DAYS, regions: Iterable[str] = REGIONS) -> list[Event]:
    """Return the events of some local days in some marketplaces, as they come in."""
    ordered = sorted(days)
    events = [
        event
        for region in regions
        for number, day in enumerate(ordered, 1)
        for event in _day(region, day, ordered[:number])
    ]
    return sorted(events, key=lambda event: str(event["eventTime"]))


def _day(region: str, day: date, so_far: list[date]) -> Iterator[Event]:
    for hour in hours(region, day):
        yield from _workflow(HOURLY, hour)
    yield from _workflow(DAILY, whole_day(region, day, so_far))


def _workflow(workflow: Workflow, period: Period) -> Iterator[Event]:
    top = Level("DAG", workflow.name, workflow.about, period)
    begin = at = period.end.astimezone(UTC) + timedelta(minutes=workflow.waits)
    ended = "COMPLETE"
    inside: list[Event] = []
    for task in workflow.tasks:
        until = at + timedelta(minutes=task.minutes)
        if (period.region, period.day, task.name) == FAILURE:
            ended = "FAIL"
        inside += _task(task, top, ended, at, until)
        at = until
        if ended == "FAIL":
            break
    yield _event("START", top, begin)
    yield from inside
    yield _event(ended, top, at)


def _task(task: Task, top: Level, ended: str, at: datetime, until: datetime) -> list[Event]:
    """Return the events of a task and what runs inside it: the innermost one has the data."""
    line = [Level("TASK", f"{top.name}.{task.name}", task.about, top.period, (top,))]
    for kind, name in zip(("APPLICATION", "SQL_JOB"), task.inside, strict=False):
        own_name = f"{line[-1].name}.{name}" if kind == "SQL_JOB" else name
        line.append(Level(kind, own_name, task.about, top.period, (top, *line)))
    period, last = top.period, line[-1]
    own = [period.partition]
    inputs = [read_table(name, period.day, period.reads.get(name, own)) for name in task.reads]
    rows = 1000 + int(last.run_id[:4], 16)
    outputs = [written_table(task.writes, period.day, own, rows)] if ended == "COMPLETE" else []
    starts, ends = [], []
    for depth, level in enumerate(line, 1):
        read, written = (inputs, outputs) if level is last else ([], [])
        starts.append(_event("START", level, at + timedelta(seconds=2 * depth), read))
        ends.append(_event(ended, level, until - timedelta(seconds=2 * depth), read, written))
    return [*starts, *reversed(ends)]


def _event(
    kind: str,
    level: Level,
    at: datetime,
    inputs: Iterable[Event] = (),
    outputs: Iterable[Event] = (),
) -> Event:
    return {
        "eventTime": at.isoformat(),
        "eventType": kind,
        "producer": PRODUCER,
        "schemaURL": _SCHEMA,
        "run": {"runId": level.run_id, "facets": run_facets(kind, level)},
        "job": {"namespace": level.namespace, "name": level.name, "facets": job_facets(level)},
        "inputs": list(inputs),
        "outputs": list(outputs),
    }
