"""Sensors that were poked when an earlier process died: one of them ended it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack

import structlog

from lineagegraph.errors import PokeCrashed, PokeFailed, PokeOverdue
from lineagegraph.sensing.isolated_poke import IsolatedProcess, isolated_process
from lineagegraph.sensing.watched import Watched
from lineagegraph.sensors.answer import PokeAnswer

log = structlog.get_logger()
_LANES = 2
_FIRST_SECONDS = 0.5
_FACTOR = 8.0
_MOST_DEATHS = 5


class Suspects:
    """Pokes suspects in processes of their own, each alone, until it answers or is the culprit.

    The first pokes have little time, so that one that hangs does not hold up the good ones.
    """

    def __init__(
        self,
        deaths: Mapping[str, int],
        seconds: float,
        on_culprit: Callable[[Watched, str], Awaitable[None]],
        on_clear: Callable[[str], None],
    ) -> None:
        self._deaths = dict(deaths)
        self._seconds = seconds
        self._on_culprit = on_culprit
        self._on_clear = on_clear
        self._trials: dict[str, int] = {}
        self._lanes: asyncio.Queue[_Lane] = asyncio.Queue()
        for _ in range(_LANES):
            self._lanes.put_nowait(_Lane())

    def has(self, id_: str) -> bool:
        """Return whether a sensor is a suspect."""
        return id_ in self._deaths

    async def look(self, known: Watched) -> PokeAnswer:
        """Return the result of a poke, and clear the sensor if it did no harm."""
        if self._deaths[known.id] >= _MOST_DEATHS:
            why = f"{_MOST_DEATHS} processes in a row ended while they poked it"
            await self._convict(known, why)
            raise PokeFailed(why)
        try:
            found = await self._look(known)
        except PokeOverdue:
            self._trials[known.id] = self._trials.get(known.id, 0) + 1
            raise
        except _Doubtful:
            raise
        except PokeCrashed as error:
            await self._convict(known, str(error))
            raise
        except PokeFailed:
            self._clear(known.id)
            raise
        self._clear(known.id)
        return found

    async def close(self) -> None:
        """End the processes."""
        while not self._lanes.empty():
            await self._lanes.get_nowait().close()

    async def _look(self, known: Watched) -> PokeAnswer:
        lane = await self._lanes.get()
        try:
            is_first = known.id not in self._trials
            return await lane.poke(known, self._limit(known), is_first=is_first)
        finally:
            self._lanes.put_nowait(lane)
            if len(self._deaths) <= _LANES:
                await lane.close()

    def _limit(self, known: Watched) -> float:
        longest = known.sensor.limit() or self._seconds
        factor: float = _FACTOR ** self._trials.get(known.id, 0)
        return min(longest, _FIRST_SECONDS * factor)

    async def _convict(self, known: Watched, why: str) -> None:
        await self._on_culprit(known, why)
        self._clear(known.id)

    def _clear(self, id_: str) -> None:
        self._deaths.pop(id_, None)
        self._trials.pop(id_, None)
        self._on_clear(id_)


class _Doubtful(PokeFailed):
    """A process ended, and the poke before the last may have done it."""


class _Lane:
    """One process at a time, which another follows if a poke ends it."""

    def __init__(self) -> None:
        self._process: IsolatedProcess | None = None
        self._stack = AsyncExitStack()
        self._has_hung = False

    async def poke(self, known: Watched, seconds: float, *, is_first: bool) -> PokeAnswer:
        """Return the result of a poke; only first trials share a process with pokes that hang."""
        if self._has_hung and not is_first:
            await self.close()
        if self._process is None:
            self._process = await self._stack.enter_async_context(isolated_process())
        had_hung, is_whole = self._has_hung, False
        try:
            found = await self._process.poke(known.sensor, seconds, known.cursor)
            is_whole = True
            return found
        except PokeCrashed as error:
            if had_hung:
                raise _Doubtful(f"{error}, or an earlier poke did: it is poked again") from None
            raise
        except PokeOverdue:
            self._has_hung = True
            is_whole = self._process.is_running
            raise
        except PokeFailed:
            is_whole = True
            raise
        finally:
            if not is_whole:
                await self.close()

    async def close(self) -> None:
        self._process, self._has_hung = None, False
        await self._stack.aclose()
