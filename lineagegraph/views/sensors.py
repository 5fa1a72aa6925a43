"""Sensors: what they look for, the runs that wait for each, and the end of a wait by hand."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.queries.arrivals import read_arrivals
from lineagegraph.queries.sensors import (
    SensorDetails,
    describe_sensor,
    next_poke,
    read_sensor,
    read_sensors,
)
from lineagegraph.store.sensors import sensor_views
from lineagegraph.store.sensors.sensor_views import Holder, SensorRow, SensorWait
from lineagegraph.text import format_duration
from lineagegraph.views.view import View
from lineagegraph.waits.by_hand import HandOutcome, settle_wait

_MOST = 200
_MOST_WAITS = 100
_LONGEST_CURSOR = 200
# What is expected is asked for each of them.
_MOST_EXPECTED = 20


class ShownSensor(msgspec.Struct, frozen=True):
    """A sensor with its last poke and its next one."""

    id: str  # id of the sensor
    looks_for: str  # its target in words
    waits: int  # open waits for it
    watches: int  # conditions of triggers and freshness terms that watch it
    poked_at: datetime | None  # start of the last poke; None before the first
    is_true: bool | None  # last answer; None before the first
    fault: str | None  # error of the last poke; None if it answered
    next_at: datetime | None  # time by which it is poked again; None if unknown
    # time at which what it looks for is expected; None if unknown
    expected_at: datetime | None = None


class ShownSensors(msgspec.Struct, frozen=True):
    """The sensors with the most waits first; `total` counts those left out too."""

    sensors: list[ShownSensor]
    total: int


class ShownWait(msgspec.Struct, frozen=True):
    """A wait of a run; `state` is its outcome once it is over."""

    run_id: str
    job: str | None
    state: str
    is_open: bool
    began_at: datetime | None
    said: str
    expected_at: datetime | None


class SensorPage(msgspec.Struct, frozen=True):
    """A sensor, facts about it as names and texts, and its waits."""

    sensor: ShownSensor
    facts: list[tuple[str, str]]
    waits: list[ShownWait]


class SensorsView(View):
    """All sensors, the waits of one, and their end by hand."""

    acts = frozenset({"settle"})

    def answer_sensors(self) -> ShownSensors:
        """Return the sensors, those with the most waits first."""
        rows = read_sensors(self._graph, limit=_MOST)
        total = self._graph.read(sensor_views.count_sensors, kind=None)
        expected = self._graph.read(self._expected_of, rows)
        return ShownSensors([_shown(row, expected.get(row.id)) for row in rows], total)

    def answer_sensor(self, sensor: str) -> SensorPage:
        """Return a sensor and its waits: the open ones first, then the newest."""
        found = read_sensor(self._graph, sensor, limit=_MOST_WAITS)
        expected = self._graph.read(self._expected, found.waits)
        times = [at for at in expected.values() if at]
        return SensorPage(
            _shown(found.sensor, min(times, default=None)),
            list(_facts(found)),
            [_wait(one, expected.get(one.run_id)) for one in found.waits],
        )

    def answer_settle(
        self, run: str, reason: str, outcome: HandOutcome = HandOutcome.SUCCESS
    ) -> None:
        """End the open wait of a run by hand; the run goes on."""
        settle_wait(self._graph, self._settings, run, outcome, reason, self.author)

    def _expected_of(
        self, tx: Transaction, rows: Sequence[SensorRow]
    ) -> dict[str, datetime | None]:
        """Return when what the sensors look for is expected, for those with the most waits."""
        waits = [
            wait
            for row in rows[:_MOST_EXPECTED]
            if row.waits
            for wait in sensor_views.list_waits(tx, id=row.id, limit=1)
        ]
        expected = self._expected(tx, waits)
        return {one.sensor_id: expected.get(one.run_id) for one in waits}

    def _expected(self, tx: Transaction, waits: Sequence[SensorWait]) -> dict[str, datetime | None]:
        """Return when the first open waits are expected to be over, by the id of their runs."""
        zone = ZoneInfo(self._settings.zone)
        still = [wait for wait in waits if wait.outcome is None][:_MOST_EXPECTED]
        return {wait.run_id: read_arrivals(tx, wait, zone).expected_at for wait in still}


def _shown(row: SensorRow, expected_at: datetime | None) -> ShownSensor:
    return ShownSensor(
        id=row.id,
        looks_for=describe_sensor(row),
        waits=row.waits,
        watches=row.watches,
        poked_at=row.poked_at,
        is_true=row.is_true,
        fault=f"{row.errors} errors in a row: {row.error}" if row.errors else None,
        next_at=next_poke(row),
        expected_at=expected_at,
    )


def _wait(wait: SensorWait, expected_at: datetime | None) -> ShownWait:
    # The log has a line for each attempt, with its message.
    said = [*wait.log] or [wait.message or ""]
    if wait.outcome is None and wait.retries:
        said.append(f"attempt {wait.attempt} of {wait.retries + 1}")
    return ShownWait(
        wait.run_id,
        wait.job,
        wait.outcome or wait.state,
        wait.outcome is None,
        wait.began_at,
        ", ".join(filter(None, said)),
        expected_at,
    )


def _facts(found: SensorDetails) -> Iterator[tuple[str, str]]:
    row = found.sensor
    if row.interval is not None:
        yield "poked every", format_duration(row.interval)
    if row.cursor is not None:
        yield "cursor", row.cursor[:_LONGEST_CURSOR]
    yield "poked by", row.exclusive_reason or _held(row, found.holder)
    for watcher in found.watchers:
        suspended = "" if watcher.enabled else ", suspended"
        yield "trigger of", f"{watcher.starts or watcher.id}{suspended}"


def _held(row: SensorRow, holder: Holder | None) -> str:
    if holder is None:
        return f"nobody: shard {row.shard} has no sensor process; `lineagegraph up` starts one"
    if holder.pid is None:
        return f"{holder.id}, which has stopped reporting"
    return f"process {holder.pid} on {holder.host}"
