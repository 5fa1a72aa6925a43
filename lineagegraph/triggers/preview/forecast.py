"""The runs to come: enabled rules replayed forward, on what is known now.

It assumes that each run completes after its usual time and writes what its job wrote before. What
comes from outside (events, sensors, data of other programs) is not foreseen, limits and overlaps
of triggers are not applied, and reruns are not counted.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_json, dataset_key
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnCron, OnDataset, OnInterval, OnStatus
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.model.typed import decode_json
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.pipelines import versions
from lineagegraph.store.runs.history import list_unended
from lineagegraph.store.triggers import previews
from lineagegraph.store.triggers.pauses import PauseRow, get_pause
from lineagegraph.store.triggers.previews import PastOccurrence, RuleRow, UsualRow
from lineagegraph.triggers.condition_nodes import ConditionNode, make_tree
from lineagegraph.triggers.preview.past import PastStart, ReplayWindow, read_past, watched_by
from lineagegraph.triggers.preview.preview import WEEK, Foreseen, dates_of, foresee
from lineagegraph.triggers.preview.replay import Replay

_MOST_RULES = 10_000
# A day has 1,440 minutes.
MOST_RUNS = 1500
_ROUNDS = 10
_INSTANT = timedelta(microseconds=1)
_FORESEEN = "foreseen "
_GOOD = RunState.COMPLETED


class ForeseenRun(msgspec.Struct, frozen=True):
    """A run to come; `trouble` is why its firing would be a dead letter.

    `jobs` and `datasets` are the keys of what succeeds and is written when it ends.
    """

    at: datetime  # time at which its trigger fires, or at which it began
    job: str  # full name of its job
    namespace: str  # namespace of its job
    trigger: str | None  # name of its trigger; None if it goes on already
    reason: str  # why it starts
    ends_at: datetime  # time at which it usually would have ended
    trouble: str | None  # why it cannot start; None if it can
    parameters: str = "{}"  # JSON text of its parameters
    partition: str | None = None  # its partition as canonical JSON; None without one
    jobs: tuple[str, ...] = ()  # keys of its job and of those below
    datasets: tuple[str, ...] = ()  # keys of the datasets that its job writes


class RunForecast(msgspec.Struct, frozen=True):
    """The runs until a time, earliest first: those that go on, and those that triggers start.

    Of each trigger there are at most `MOST_RUNS`.
    """

    now: datetime
    until: datetime
    running: tuple[ForeseenRun, ...]
    runs: tuple[ForeseenRun, ...]


class _Watcher(NamedTuple):
    """A trigger that is replayed forward."""

    row: RuleRow
    rule: Trigger
    nodes: tuple[ConditionNode, ...]

    @property
    def is_scheduled(self) -> bool:
        return any(isinstance(node.condition, OnCron | OnInterval) for node in self.nodes)


def forecast_runs(tx: Transaction, until: datetime) -> RunForecast:
    """Return the runs that go on now, and those that triggers start until a time."""
    return _Forecast(tx, until).read()


class _Forecast:
    def __init__(self, tx: Transaction, until: datetime) -> None:
        self._tx = tx
        self._now = get_time(tx)
        self._until = until
        self._pause = get_pause(tx, now=None)
        self._usual: dict[str, UsualRow] = {}
        self._past: dict[str, list[PastOccurrence]] = {}
        self._pipelines: dict[str, Pipeline] = {}

    def read(self) -> RunForecast:
        watchers = [_watcher(row) for row in previews.list_rules(self._tx, limit=_MOST_RULES)]
        running = tuple(self._running())
        # By trigger, in the order in which one follows from the other.
        found: dict[str, tuple[ForeseenRun, ...]] = {}
        for _ in range(_ROUNDS):
            runs = [*running, *(run for some in found.values() for run in some)]
            before = dict(found)
            each = [(one, list(_occurrences(one, runs, self._until))) for one in watchers]
            due = [(one, coming) for one, coming in each if coming or one.is_scheduled]
            self._learn({one.row.job_key for one, _ in due})
            found |= {one.row.id: tuple(self._fire(one, coming)) for one, coming in due}
            if found == before:
                break
        runs = sorted((run for some in found.values() for run in some), key=lambda run: run.at)
        return RunForecast(self._now, self._until, running, tuple(runs))

    def _running(self) -> Iterator[ForeseenRun]:
        """Yield the runs that go on, with the times at which they usually would end."""
        rows = list_unended(self._tx, limit=MOST_RUNS)
        names = [
            {"condition_id": row.id, "namespace": row.namespace, "fqn": row.job} for row in rows
        ]
        keys = {one.condition_id: one.job_key for one in previews.list_jobs(self._tx, rows=names)}
        self._learn(set(keys.values()))
        for row in rows:
            if row.state == RunState.RUNNING and row.id in keys:
                usual = self._usual[keys[row.id]]
                ends = max(row.at + timedelta(seconds=usual.seconds or 0), self._now)
                yield ForeseenRun(
                    at=row.at,
                    job=row.job,
                    namespace=row.namespace,
                    trigger=None,
                    reason="it goes on",
                    ends_at=ends,
                    trouble=None,
                    partition=row.partition,
                    jobs=tuple(usual.jobs),
                    datasets=tuple(usual.datasets),
                )

    def _fire(self, one: _Watcher, coming: Sequence[PastOccurrence]) -> Iterator[ForeseenRun]:
        row, rule = one.row, one.rule
        known = [row.enabled_at, row.fired_at and row.fired_at + _INSTANT, self._now - WEEK]
        time = ReplayWindow(max(at for at in known if at is not None), self._until)
        past = [*self._past_of(one, time), *coming]
        pipeline = self._pipelines.get(row.job_key)
        replay = Replay(rule, one.nodes, time, dates_of(pipeline))
        keys = {replay.key_of(each): each for each in past}
        conditions = {node.id: node.condition for node in one.nodes}
        coming_up = (
            fired
            for fired in replay.fire(past)
            if fired.at > self._now and not _is_paused(self._pause, fired.at)
        )
        for fired in islice(coming_up, MOST_RUNS):
            yield self._run(one, foresee(fired, rule, pipeline, keys, conditions))

    def _run(self, one: _Watcher, found: Foreseen) -> ForeseenRun:
        usual, row = self._usual[one.row.job_key], one.row
        # What a run that has not ended emits is not known.
        unsure = any((cause.run_id or "").startswith(_FORESEEN) for cause in found.causes)
        return ForeseenRun(
            at=found.at,
            job=row.job,
            namespace=row.namespace,
            trigger=row.name or row.id,
            reason=found.reason,
            ends_at=found.at + timedelta(seconds=usual.seconds or 0),
            trouble=None if unsure else found.trouble,
            parameters=msgspec.json.encode(found.parameters).decode(),
            partition=self._partition(row.job_key, found),
            jobs=tuple(usual.jobs),
            datasets=tuple(usual.datasets),
        )

    def _partition(self, key: str, found: Foreseen) -> str | None:
        names = (pipeline := self._pipelines.get(key)) and pipeline.partition_by
        if not names or not all(name in found.parameters for name in names):
            return None
        return canonical_json({name: str(found.parameters[name]) for name in names})

    def _past_of(self, one: _Watcher, time: ReplayWindow) -> list[PastOccurrence]:
        id_, row = one.row.id, one.row
        if id_ not in self._past:
            start = PastStart(row.job_key, row.namespace)
            window = ReplayWindow(time.since, self._now)
            found = read_past(self._tx, one.nodes, start, one.rule.correlate_by, window)
            self._past[id_] = found
        return self._past[id_]

    def _learn(self, keys: set[str]) -> None:
        """Read what jobs usually do, and their definitions, unless it is known."""
        new = sorted(keys - self._usual.keys())
        self._usual |= {one.key: one for one in previews.list_usual(self._tx, keys=new)}
        for one in versions.list_definitions(self._tx, keys=new):
            self._pipelines[one.job_key] = decode_json(one.definition, into=Pipeline)


def _watcher(row: RuleRow) -> _Watcher:
    rule = read_stored(row.rule)
    return _Watcher(row, rule, tuple(make_tree(row.id, rule.when)))


def _is_paused(pause: PauseRow | None, at: datetime) -> bool:
    return pause is not None and not pause.is_over and (pause.until is None or at < pause.until)


def _occurrences(
    one: _Watcher, runs: Sequence[ForeseenRun], until: datetime
) -> Iterator[PastOccurrence]:
    """Yield what foreseen runs mean to the conditions of a trigger."""
    coming = [run for run in runs if run.trouble is None and run.ends_at <= until]
    for node in one.nodes:
        match watched_by(node.condition):
            case OnStatus(statuses=statuses, job=job, namespace=namespace) if _GOOD in statuses:
                wanted = (namespace or one.row.namespace, job)
                for run in coming:
                    if (run.namespace, run.job) == wanted:
                        yield _occurrence(node.id, "run", job, _GOOD, run)
            case OnDataset(namespace=namespace, name=name, count=1):
                for run in coming:
                    if dataset_key(namespace, name) in run.datasets:
                        yield _occurrence(node.id, "version", name, "WRITTEN", run)


def _occurrence(
    condition_id: str, subject: str, name: str, status: str, run: ForeseenRun
) -> PastOccurrence:
    id_, at = f"{_FORESEEN}{run.job} {run.at.isoformat()}", run.ends_at.isoformat()
    return PastOccurrence(
        condition_id=condition_id,
        subject=subject,
        subject_id=id_,
        name=name,
        simple_name=run.job.rpartition(".")[2],
        job=run.job,
        run_id=id_,
        status=status,
        occurred_at=at,
        judged_at=at,
        part=id_,
        partition=run.partition,
        params=run.parameters,
        emitted=None,
    )
