"""The overview: what failed, runs, waits, is stale or was given up, and what comes next."""

from datetime import datetime, time, timedelta

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.cron import next_time
from lineagegraph.queries.freshness.freshness import describe_staleness, read_standings, with_causes
from lineagegraph.queries.triggers.upcoming import UpcomingTime, read_upcoming
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.runs.history import NowRow, list_ended, list_unended
from lineagegraph.store.triggers.firings import DeadLetter, list_dead
from lineagegraph.store.triggers.pauses import PauseRow
from lineagegraph.views.forecast import Forecast, read_forecast
from lineagegraph.views.pausing import PausingView, read_pause

_AHEAD = timedelta(hours=12)
_AROUND = timedelta(minutes=30)
_BEFORE = timedelta(hours=24)
_MOST = 100
_MOST_TIMES = 12
_LONGEST = 300


class StaleRow(msgspec.Struct, frozen=True):
    """A job or dataset that is older than its terms allow, with the cause."""

    node: str
    why: str


class Overview(msgspec.Struct, frozen=True):
    """What a person on call asks first; each list has at most a hundred rows."""

    at: datetime  # time of the database
    paused: PauseRow | None  # pause of all triggers; None if they fire
    failed: list[NowRow]  # failures of the last 24 hours
    running: list[NowRow]  # runs that go on
    waiting: list[NowRow]  # runs that are queued or wait
    dead: list[DeadLetter]  # firings that were given up
    next: list[UpcomingTime]  # schedules of the next 12 hours


class NowView(PausingView):
    """The state of all that is known, on one page."""

    def answer_now(self) -> Overview:
        """Return the failures of the last 24 hours, what goes on, and the next 12 hours."""
        return self._graph.read(self._read)

    def answer_stale(self) -> list[StaleRow]:
        """Return a hundred jobs and datasets at most that are older than their terms allow."""
        zone = self._settings.zone
        found = [one for one in read_standings(self._graph, zone) if one.state is FreshState.STALE]
        return [
            StaleRow(one.node, describe_staleness(one))
            for one in with_causes(self._graph, zone, found[:_MOST])
        ]

    def answer_forecast(self, around: str = "") -> Forecast:
        """Return the runs of the next 12 hours, which cannot start, and what will be stale.

        With `around`, such as `06:00`, the runs are those within half an hour of the next one.
        """
        now = self._graph.read(get_time)
        zone = self._settings.zone
        if around:
            at = _next_time(now, around, zone)
            found = read_forecast(
                self._graph, zone, at + _AROUND, each=_MOST, since=at - _AROUND, stale_at=at
            )
        else:
            found = read_forecast(self._graph, zone, now + _AHEAD, each=_MOST_TIMES)
        return msgspec.structs.replace(found, runs=found.runs[:_MOST])

    def _read(self, tx: Transaction) -> Overview:
        now = get_time(tx)
        unended = [_short(row) for row in list_unended(tx, limit=_MOST)]
        failed = list_ended(tx, since=now - _BEFORE, state=RunState.FAILED, limit=_MOST)
        return Overview(
            at=now,
            paused=read_pause(tx),
            failed=[_short(row) for row in failed],
            running=[row for row in unended if row.state == RunState.RUNNING][:_MOST],
            waiting=[row for row in unended if row.state != RunState.RUNNING][:_MOST],
            dead=list_dead(tx, limit=_MOST),
            next=read_upcoming(tx, now + _AHEAD, _MOST, each=_MOST_TIMES),
        )


def _short(row: NowRow) -> NowRow:
    error = row.error or ""
    if len(error) > _LONGEST:
        # A command is named first, and what it died of last.
        error = f"{error[: _LONGEST // 2]} … {error[-_LONGEST // 2 :]}"
    return msgspec.structs.replace(row, error=error or None)


def _next_time(now: datetime, text: str, zone: str) -> datetime:
    """Return the next time of day such as `06:00`."""
    wanted = time.fromisoformat(text)
    return next_time(f"{wanted.minute} {wanted.hour} * * *", zone, now)
