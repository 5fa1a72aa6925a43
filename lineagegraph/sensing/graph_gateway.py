"""The graph as the sensor process uses it, in threads beside its loop."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from lineagegraph.graph import Graph, Transaction
from lineagegraph.liveness.clock import DatabaseClock
from lineagegraph.liveness.daemons import nudge, nudge_daemons
from lineagegraph.sensing.repeat import survive
from lineagegraph.sensing.shards import LAST_SECONDS, ShardChange, Shards
from lineagegraph.settings import Settings
from lineagegraph.store.admin import processes
from lineagegraph.store.sensors import sensor_callbacks, sensors
from lineagegraph.store.sensors.sensor_callbacks import Callback
from lineagegraph.store.sensors.sensors import SensingRow
from lineagegraph.waits.attempts import settle_timeouts
from lineagegraph.waits.from_graph import settle_from_graph
from lineagegraph.waits.idle import make_exclusive, release_idle
from lineagegraph.waits.poke import Claims, Poke, Settled
from lineagegraph.waits.pokes import settle_pokes

T = TypeVar("T")
_THREADS = 8
_FIRST_LOOKS = 5.0


class Desk:
    """Reads and writes; while the graph is away each waits for it, and the loop goes on."""

    def __init__(self, graph: Graph, settings: Settings, shards: Shards) -> None:
        self._graph = graph.outlasting()
        self._last = graph.with_patience(LAST_SECONDS)
        self._settings = settings
        self._shards = shards
        self._max_event_age = settings.max_event_age
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="graph")
        self.clock = DatabaseClock()

    async def keep_shards(self, numbers: dict[str, Any]) -> ShardChange:
        """Give a sign of life, and keep our share of the shards."""

        def work() -> ShardChange:
            # First of all: by this clock the first pokes are dated.
            self.clock.read(self._graph)
            change = self._shards.keep(self._graph)
            self._graph.write(processes.set_sensing, id=self._shards.id, numbers=numbers)
            return change

        return await self._in_thread(work)

    async def leave(self) -> None:
        """Give the shards to others, unless the graph is away."""
        await self._in_thread(partial(self._shards.leave, self._last))

    async def read_sensors(self, since: datetime | None) -> list[SensingRow]:
        """Return the sensors with waits that changed since a time."""
        read = partial(
            self._graph.read, sensors.list_sensing, shards=sorted(self._shards.held), since=since
        )
        return await self._in_thread(read)

    async def settle(self, pokes: Sequence[Poke]) -> Settled:
        """Settle the results of pokes, and wake the runs that continue."""
        return await self._settle(_settle_pokes, pokes)

    async def settle_from_graph(self, since: datetime | None) -> Settled:
        """Settle sensors that the graph answers, from events since a time."""
        return await self._settle(partial(settle_from_graph, since=since))

    async def settle_timeouts(self) -> Settled:
        """Settle attempts that are over, if there was time for a poke."""
        claims = self._shards.held_for(_FIRST_LOOKS)
        return await self._settle(settle_timeouts, claims=claims)

    async def make_exclusive(self, sensor_id: str, reason: str) -> None:
        """Let tasks that wait for a sensor poke it themselves."""
        work = partial(self._graph.write, make_exclusive, sensor_id, reason)
        await self._wake(await self._in_thread(work))

    async def release_idle(self) -> None:
        """Delete sensors that have had no wait for a long time."""
        await self._in_thread(partial(self._graph.write, release_idle))

    async def claim_callbacks(self, most: int) -> list[Callback]:
        """Take calls that are due."""
        seconds = self._settings.sensor_callback_seconds + self._settings.lease_seconds
        claim = partial(sensor_callbacks.claim_callbacks, most=most, now=None)
        lease = timedelta(seconds=seconds)
        return await self._in_thread(partial(self._graph.write, claim, lease=lease))

    async def settle_callbacks(self, rows: list[dict[str, Any]]) -> None:
        """Note how calls went."""
        settle = partial(sensor_callbacks.settle_callbacks, rows=rows, now=None)
        await self._in_thread(partial(self._graph.write, settle))

    def give_up(self, sensor_id: str | None, reason: str) -> None:
        """Leave from beside the loop; the sensor that blocked it is poked in isolation later."""
        if sensor_id:
            self._last.write(make_exclusive, sensor_id, reason)
        self._shards.leave(self._last)

    async def _settle(
        self,
        settle: Callable[..., Settled],
        *given: object,
        claims: dict[int, int] | None = None,
    ) -> Settled:
        held = dict(self._shards.held) if claims is None else claims
        write = partial(
            self._graph.write,
            partial(settle, max_event_age=self._max_event_age, routes=self._settings.notify),
        )
        settled: Settled = await self._in_thread(partial(write, held, *given))
        await self._wake(settled)
        return settled

    async def _wake(self, settled: Settled) -> None:
        """Nudge the runs that continue and the daemons; the results are settled in any case."""
        await survive("nudge", partial(self._nudge, settled))

    async def _nudge(self, settled: Settled) -> None:
        if settled.woken:
            addresses = [one.address for one in settled.woken if one.address]
            await self._in_thread(partial(nudge, addresses))
        if settled.woken or settled.started:
            await self._in_thread(partial(nudge_daemons, self._last))

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)


def _settle_pokes(tx: Transaction, claims: Claims, pokes: Sequence[Poke], **terms: Any) -> Settled:
    settled = settle_pokes(tx, claims, pokes, **terms)
    # Who is not met yet knows at least that somebody looks.
    ids = sorted(
        poke.id for poke in pokes if not poke.is_true and poke.shard not in settled.refused
    )
    sensors.settle_taken(tx, ids=ids)
    return settled
