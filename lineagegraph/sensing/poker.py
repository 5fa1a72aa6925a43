"""Pokes each sensor when it is due, so that a slow one holds up no other."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import nullcontext
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog

from lineagegraph.errors import PokeFailed, PokeOverdue
from lineagegraph.model.new_items import NewItems
from lineagegraph.sensing.due_queue import Agenda, pause
from lineagegraph.sensing.limits import Limits
from lineagegraph.sensing.measures import Measures
from lineagegraph.sensing.watched import Watched
from lineagegraph.sensors.answer import PokeAnswer, encode_value
from lineagegraph.waits.poke import Poke

log = structlog.get_logger()
Look = Callable[[Watched], Awaitable[PokeAnswer]]
_AT_ONCE = 0.05
_UNSURE = 0.5
# The clock of pokes may be so much behind that of waits.
_LAG = timedelta(seconds=5)


class Poker:
    """Poke each due sensor, one poke at a time, and pass on changed answers.

    A sensor whose answer was passed on rests until `settled` is called for it.
    """

    def __init__(
        self,
        look: Look,
        hand_on: Callable[[Poke], None],
        *,
        limits: Limits,
        clock: Callable[[], datetime],
        measures: Measures,
        may_poke: Callable[[], bool] = lambda: True,
        is_apart: Callable[[Watched], bool] = lambda known: known.is_apart,
    ) -> None:
        self._look = look
        self._hand_on = hand_on
        self._limits = limits
        self._clock = clock
        self._measures = measures
        self._may_poke = may_poke
        self._is_apart = is_apart
        self._agenda = Agenda()
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._quiet: dict[str, Poke] = {}
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self.watched: dict[str, Watched] = {}

    def watch(self, found: Watched) -> None:
        """Poke a sensor from now on, at once if a new wait began."""
        known = self.watched.get(found.id)
        if known is None:
            self.watched[found.id] = found
            self._put(found.id, time.monotonic() + self._first_rest(found))
            return
        is_new = found.newest is not None and (known.newest is None or found.newest > known.newest)
        before = known.interval_at(now := self._clock())
        known.newest, known.interval = found.newest, found.interval
        known.backoff, known.longest = found.backoff, found.longest
        known.restart_interval(found.off_since)
        is_sooner = known.interval_at(now) < before
        known.is_watched, known.is_apart = found.is_watched, found.is_apart
        known.sensor = found.sensor
        known.move_cursor(found.cursor, found.cursor_number)
        if is_new and not known.is_busy:
            self._put(found.id, time.monotonic())
        elif is_sooner:
            self._hurry(known)

    def forget(self, ids: Iterable[str]) -> None:
        """Stop poking sensors; running pokes are cancelled."""
        for id_ in ids:
            if running := self._under_way.get(id_):
                running.cancel()
            self.watched.pop(id_, None)
            self._quiet.pop(id_, None)
            self._agenda.drop(id_)

    def settled(self, answer: Poke, *, is_kept: bool, has_moved: bool = False) -> None:
        """Let a sensor continue after its answer was settled.

        `is_kept`: it still has waits; `has_moved`: its cursor is that of the answer now.
        """
        known = self.watched.get(answer.id)
        if known is None:
            return
        known.is_busy = False
        if has_moved:
            known.move_cursor(answer.cursor, answer.after + 1)
        if is_kept or self._came_later(known, answer):
            self._put_next(known, answer)
        else:
            self.forget([answer.id])

    def broken(self, breaks: int) -> list[Watched]:
        """Return the sensors that took too long so many times in a row, and are not apart yet."""
        known = self.watched.values()
        return [one for one in known if one.breaks >= breaks and not one.is_apart]

    def take_quiet(self) -> list[Poke]:
        """Return the answers that were no news since the last time."""
        taken, self._quiet = list(self._quiet.values()), {}
        return taken

    async def run(self) -> None:
        """Start due pokes until cancelled."""
        while True:
            self._changed.clear()
            if not self._may_poke():
                await asyncio.sleep(_UNSURE)
                continue
            now = time.monotonic()
            due = self._agenda.take_due(now)
            for id_ in [id_ for id_, _ in due if id_ in self._under_way]:
                # A wait began as its poke ended.
                self._put(id_, now + _AT_ONCE)
            begun = [self._begin(id_, at) for id_, at in due if id_ not in self._under_way]
            if begun:
                self._follow(asyncio.create_task(self._time(begun), name="round"))
            await self._until_due()

    async def close(self) -> None:
        """Cancel running pokes."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _until_due(self) -> None:
        due = self._agenda.next_due()
        wait = None if due is None else max(0.0, due - time.monotonic())
        try:
            async with asyncio.timeout(wait):
                await self._changed.wait()
        except TimeoutError:
            return

    async def _time(self, begun: list["asyncio.Task[None]"]) -> None:
        began = time.monotonic()
        await asyncio.wait(begun)
        self._measures.note_round(time.monotonic() - began)

    def _begin(self, id_: str, due: float) -> "asyncio.Task[None]":
        known = self.watched[id_]
        known.is_busy = True
        task = asyncio.create_task(self._poke(known, due), name=f"poke {id_}")
        self._under_way[id_] = task
        task.add_done_callback(partial(self._over, known))
        return self._follow(task)

    def _over(self, known: Watched, _: "asyncio.Task[None]") -> None:
        del self._under_way[known.id]
        # It was forgotten and watched again while it was poked.
        if self.watched.get(known.id, known) is not known:
            self._put(known.id, time.monotonic())

    def _follow(self, task: "asyncio.Task[None]") -> "asyncio.Task[None]":
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _poke(self, known: Watched, due: float) -> None:
        try:
            # One that is apart waits for a lane of its own, and must not keep others waiting.
            async with nullcontext() if self._is_apart(known) else self._limits.one(known.sensor):
                self._measures.note_lag(time.monotonic() - due)
                answer = await self._ask(known)
        except Exception as error:
            # A kind of somebody's own may fail before it looks: then its sensor must not rest.
            answer = _failed(known, self._clock(), f"{type(error).__name__}: {error}")
        self._measures.note_poke(failed=answer.error is not None)
        if self.watched.get(known.id) is not known:
            return
        is_news = self._is_news(known, answer)
        self._remember(known, answer)
        if is_news:
            self._quiet.pop(known.id, None)
            self._hand_on(answer)
        else:
            self._quiet[known.id] = answer
            known.is_busy = False
            self._put_next(known, answer)

    async def _ask(self, known: Watched) -> Poke:
        began, number, cursor = self._clock(), known.cursor_number, known.cursor
        try:
            found = await self._look(known)
            return Poke(
                id=known.id,
                shard=known.shard,
                began_at=began,
                is_true=bool(found),
                value=encode_value(found),
                after=number,
                **_new(found, cursor),
            )
        except PokeFailed as error:
            return _failed(known, began, str(error), broke=isinstance(error, PokeOverdue))

    def _is_news(self, known: Watched, answer: Poke) -> bool:
        if known.is_watched and answer.items is not None:
            return True
        is_same = known.is_true is False and answer.is_true is False and not known.errors
        return not is_same or self._came_later(known, known.poked_at)

    def _remember(self, known: Watched, answer: Poke) -> None:
        known.errors = known.errors + 1 if answer.error else 0
        known.breaks = known.breaks + 1 if answer.broke else 0
        known.is_true = known.is_true if answer.is_true is None else answer.is_true
        known.poked_at = answer.began_at
        if answer.is_true:
            known.restart_interval(answer.began_at)

    def _came_later(self, known: Watched, than: "Poke | datetime | None") -> bool:
        """Return whether a wait began after the poke."""
        at = than.began_at if isinstance(than, Poke) else than
        if known.newest is None or at is None:
            return known.newest is not None
        # One that begins far in the future began before the database's clock was put back.
        return at <= known.newest <= self._clock() + _LAG

    def _put_next(self, known: Watched, answer: Poke) -> None:
        now = time.monotonic()
        if self._came_later(known, answer):
            self._put(known.id, now + _AT_ONCE)
            return
        first = answer.is_true is not None and known.errors == 0 and not known.is_spread
        known.is_spread = True
        interval = known.interval_at(self._clock())
        rest = pause(interval, errors=known.errors, first=first)
        self._put(known.id, now + rest)

    def _first_rest(self, found: Watched) -> float:
        """Return the remaining rest that another process gave a sensor."""
        if self._came_later(found, found.poked_at) or found.poked_at is None:
            return 0.0
        since = max(0.0, (self._clock() - found.poked_at).total_seconds())
        interval = found.interval_at(found.poked_at)
        return max(0.0, pause(interval, errors=found.errors, first=True) - since)

    def _hurry(self, known: Watched) -> None:
        due = self._agenda.when(known.id)
        interval = known.interval_at(self._clock())
        soon = time.monotonic() + pause(interval, errors=known.errors, first=False)
        if due is not None and soon < due:
            self._put(known.id, soon)

    def _put(self, id_: str, due: float) -> None:
        self._agenda.put(id_, due)
        self._changed.set()


def _new(found: PokeAnswer, cursor: str | None) -> dict[str, Any]:
    """Return the items and the cursor of an answer that has new ones."""
    if isinstance(found, NewItems) and (found.items or found.cursor != cursor):
        return {"items": found.items, "cursor": found.cursor}
    return {}


def _failed(known: Watched, began_at: datetime, error: str, *, broke: bool = False) -> Poke:
    return Poke(
        id=known.id,
        shard=known.shard,
        began_at=began_at,
        is_true=None,
        error=error,
        broke=broke,
    )
