"""The sensors that a process pokes, from the waits in the graph."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import ClassVar

import structlog

from lineagegraph.errors import InvalidSensor, LineagegraphError
from lineagegraph.sensing.poker import Poker
from lineagegraph.sensing.rounds import Round, Rounds
from lineagegraph.sensing.watched import Watched
from lineagegraph.sensors import Sensor, decode_sensor
from lineagegraph.sensors.context import PokeContext
from lineagegraph.store.sensors.sensors import SensingRow

log = structlog.get_logger()
_OVERLAP = timedelta(seconds=5)


class Roster:
    """Keep the poker's sensors equal to those of the shards."""

    def __init__(self, poker: Poker) -> None:
        self._poker = poker
        self._rounds = Rounds()
        self._from_graph: dict[str, int] = {}

    @property
    def asks_graph(self) -> bool:
        """Whether some of the sensors are those that the graph answers."""
        return bool(self._from_graph)

    def begin(self, now: datetime) -> Round:
        """Return since when changes are to be read now."""
        return self._rounds.begin(now)

    def reset(self, lost: Collection[int]) -> None:
        """Forget the sensors of shards that are others' now, and read everything next."""
        self._rounds.reset()
        watched = self._poker.watched.values()
        self._poker.forget([one.id for one in watched if one.shard in lost])
        self._from_graph = {id_: n for id_, n in self._from_graph.items() if n not in lost}

    def take(self, rows: list[SensingRow], one: Round) -> None:
        """Apply the rows of a round, unless the shards changed since it began."""
        if not self._rounds.end(one, one.began_at - _OVERLAP):
            return
        for row in rows:
            self._take(row)
        if one.since is None:
            self._drop_all_but({row.id for row in rows})

    def _drop_all_but(self, ids: set[str]) -> None:
        self._poker.forget([id_ for id_ in self._poker.watched if id_ not in ids])
        self._from_graph = {id_: n for id_, n in self._from_graph.items() if id_ in ids}

    def _take(self, row: SensingRow) -> None:
        if row.interval is None:
            self._poker.forget([row.id])
            self._from_graph.pop(row.id, None)
            return
        if row.id in self._from_graph:
            self._from_graph[row.id] = row.shard
            return
        sensor = self._sensor(row)
        if sensor.from_graph:
            self._from_graph[row.id] = row.shard
        else:
            self._poker.watch(_watched(row, sensor))

    def _sensor(self, row: SensingRow) -> Sensor:
        known = self._poker.watched.get(row.id)
        # The pickle of a function may be another one by now.
        if known and not known.sensor.code_only:
            return known.sensor
        try:
            return decode_sensor(row.kind, row.fields)
        except Exception as error:
            # A kind of somebody's own may fail in any way, and harms no other.
            return Unusable(reason=_said(error))


class Unusable(Sensor, frozen=True):
    """A sensor that cannot be poked here, such as one whose kind is not installed."""

    kind: ClassVar[str] = "unusable"
    reason: str

    async def poke(self, context: PokeContext) -> bool:
        """Raise the reason."""
        raise InvalidSensor(self.reason)


def _said(error: Exception) -> str:
    known = isinstance(error, LineagegraphError)
    return str(error) if known else f"{type(error).__name__}: {error}"


def _watched(row: SensingRow, sensor: Sensor) -> Watched:
    return Watched(
        id=row.id,
        shard=row.shard,
        sensor=sensor,
        interval=row.interval or 0.0,
        backoff=row.backoff,
        longest=row.longest,
        off_since=max(filter(None, (row.newest, row.watched_at, row.changed_at)), default=None),
        newest=row.newest,
        is_watched=row.is_watched,
        is_true=row.is_true,
        errors=row.errors,
        breaks=row.breaks,
        poked_at=row.poked_at,
        is_apart=row.exclusive_reason is not None,
        cursor=row.cursor,
        cursor_number=row.cursor_number,
    )
