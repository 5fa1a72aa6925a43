"""The sensor process: a loop that pokes the sensors of its shards, and the steps around it."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import structlog

from lineagegraph.errors import PokeFailed, PokeOverdue
from lineagegraph.graph import Graph
from lineagegraph.process_environment.handover import receive_settings
from lineagegraph.sensing.callbacks import Callbacks
from lineagegraph.sensing.graph_gateway import Desk
from lineagegraph.sensing.isolated_poke import Apart
from lineagegraph.sensing.limits import Limits
from lineagegraph.sensing.measures import Measures
from lineagegraph.sensing.poker import Poker
from lineagegraph.sensing.repeat import repeat, survive
from lineagegraph.sensing.rounds import Rounds
from lineagegraph.sensing.settler import Settler
from lineagegraph.sensing.shards import Shards
from lineagegraph.sensing.suspects import Suspects
from lineagegraph.sensing.watch_list import Roster
from lineagegraph.sensing.watchdog import Watchdog
from lineagegraph.sensing.watched import Watched
from lineagegraph.sensors.answer import PokeAnswer
from lineagegraph.sensors.context import PokeContext, open_context
from lineagegraph.sensors.poke import poke_sensor
from lineagegraph.sensors.poke_notes import PokeNotes
from lineagegraph.settings import Settings
from lineagegraph.store.connect import open_graph
from lineagegraph.waits.poke import Poke

log = structlog.get_logger()
REFRESH_SECONDS = 0.5
GRAPH_SECONDS = 0.4
TIMEOUT_SECONDS = 1.0
CALL_SECONDS = 1.0
FLUSH_SECONDS = 30.0
IDLE_SECONDS = 60.0
_BEATS = 4
_NOTE_SECONDS = 0.5
_FLUSHED_AT_ONCE = 250
_MOST_BREAKS = 3
_STALLED = 75


class SensorProcess:
    """Poke the sensors of the held shards, settle the results, and renew the leases."""

    def __init__(
        self, graph: Graph, settings: Settings, context: PokeContext, notes: PokeNotes
    ) -> None:
        self._settings = settings
        self._context = context
        self._notes = notes
        self._apart = Apart(settings.sensor_poke_seconds)
        self._shards = Shards(settings, heir_of=notes.owner)
        left = notes.take_over(self._shards.id)
        seconds = settings.sensor_poke_seconds
        self._suspects = Suspects(left, seconds, self._convict, notes.end)
        if left:
            log.warning("sensors_suspected", sensors=sorted(left))
        self._desk = Desk(graph, settings, self._shards)
        self._measures = Measures()
        self._settler = Settler(self._settle, self._give_back)
        self._poker = Poker(
            self._look,
            self._settler.put,
            limits=Limits(settings.sensor_host_at_once),
            clock=self._desk.clock,
            measures=self._measures,
            may_poke=lambda: self._shards.is_sure,
            is_apart=lambda known: known.is_apart or self._suspects.has(known.id),
        )
        self._roster = Roster(self._poker)
        self._graph_rounds = Rounds()
        self._callbacks = Callbacks(self._desk, settings.sensor_callback_seconds)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until stopped, then release the shards."""
        watchdog = Watchdog(
            asyncio.get_running_loop(), self._settings.sensor_stall_seconds, self._bite
        )
        watchdog.start()
        tasks = [asyncio.create_task(one) for one in (watchdog.live(), *self._work())]
        await self._until_over(stop, tasks)
        watchdog.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._poker.close()
        await self._callbacks.close()
        await self._suspects.close()
        await survive("leave", self._desk.leave)

    async def _until_over(self, stop: asyncio.Event, tasks: list["asyncio.Task[None]"]) -> None:
        """Wait for a stop, or for the failure of a step, which stops the process too."""
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait([stopped, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done() and (error := task.exception()):
                log.error("sensing_broke", exc_info=error)
        stopped.cancel()

    def _work(self) -> list[Coroutine[Any, Any, None]]:
        """Return the concurrent steps; no step waits for another."""
        beat = self._settings.sensor_lease_seconds / _BEATS
        return [
            repeat("beat", min(_NOTE_SECONDS, beat), self._beat),
            repeat("keep_shards", beat, self._keep_shards),
            repeat("refresh", REFRESH_SECONDS, self._refresh),
            repeat("ask_graph", GRAPH_SECONDS, self._ask_graph),
            repeat("timeouts", TIMEOUT_SECONDS, self._end_attempts),
            repeat("callbacks", CALL_SECONDS, self._callbacks.call_due),
            repeat("flush", FLUSH_SECONDS, self._flush),
            repeat("idle", IDLE_SECONDS, self._desk.release_idle),
            self._poker.run(),
            self._settler.run(),
        ]

    async def _look(self, known: Watched) -> PokeAnswer:
        if known.is_apart:
            return await self._apart.look(known.sensor, known.cursor)
        if self._suspects.has(known.id):
            return await self._suspects.look(known)
        self._notes.begin(known.id)
        try:
            found = await poke_sensor(known.sensor, self._context, known.cursor)
        except PokeOverdue:
            # Its thread may run on, so it stays noted.
            raise
        except PokeFailed:
            self._notes.end(known.id)
            raise
        self._notes.end(known.id)
        return found

    async def _beat(self) -> None:
        self._notes.beat()

    async def _keep_shards(self) -> None:
        change = await self._desk.keep_shards(self._measures.summary(len(self._poker.watched)))
        if change.gained or change.lost:
            log.info("shards_changed", held=len(self._shards.held), lost=len(change.lost))
            self._roster.reset(change.lost)
            self._graph_rounds.reset()

    async def _refresh(self) -> None:
        if not self._shards.held:
            return
        one = self._roster.begin(self._desk.clock())
        self._roster.take(await self._desk.read_sensors(one.since), one)

    async def _ask_graph(self) -> None:
        if self._roster.asks_graph:
            one = self._graph_rounds.begin(self._desk.clock())
            settled = await self._desk.settle_from_graph(one.since)
            self._graph_rounds.end(one, settled.looked_at)

    async def _end_attempts(self) -> None:
        if self._shards.held:
            await self._desk.settle_timeouts()

    async def _settle(self, answers: list[Poke]) -> None:
        settled = await self._desk.settle(answers)
        for answer in answers:
            is_kept = answer.id not in settled.dropped and answer.shard not in settled.refused
            self._poker.settled(answer, is_kept=is_kept, has_moved=answer.id in settled.moved)
        for one in self._poker.broken(_MOST_BREAKS):
            await survive("set_apart", partial(self._set_apart, one))

    async def _set_apart(self, one: Watched) -> None:
        await self._convict(one, f"{one.breaks} pokes in a row exceeded their time limit")

    async def _convict(self, one: Watched, reason: str) -> None:
        log.warning("sensor_set_apart", sensor=one.id, kind=one.sensor.kind, why=reason)
        await self._desk.make_exclusive(one.id, reason)
        one.is_apart, one.breaks = True, 0

    def _give_back(self, answer: Poke) -> None:
        self._poker.settled(answer, is_kept=True)

    async def _flush(self) -> None:
        quiet = self._poker.take_quiet()
        # Little at a time: meanwhile others wait for the same shards.
        for first in range(0, len(quiet), _FLUSHED_AT_ONCE):
            await self._desk.settle(quiet[first : first + _FLUSHED_AT_ONCE])

    def _bite(self, culprit: str | None) -> None:
        """Give the shards up from beside the loop, which stands still, and end the process."""
        reason = f"the event loop did not run for {self._settings.sensor_stall_seconds:g} s"
        log.error("loop_stalled", at=culprit)
        try:
            self._desk.give_up(_sensor_of(culprit), reason)
        finally:
            os._exit(_STALLED)


def run_process(*, is_child: bool, notes: int | None = None) -> None:
    """Run one process until a signal, or as a child until its parent is gone.

    `notes` is the descriptor of the memory that it shares with its parent.
    """
    settings = receive_settings(restore=True)
    own = PokeNotes.create() if notes is None else PokeNotes(notes)
    with open_graph(settings) as graph:
        asyncio.run(_run(graph, settings, own, is_child=is_child))
        # Threads in looks that hang, or that wait for the graph, must not keep the process.
        sys.stdout.flush()
        os._exit(0)


async def _run(graph: Graph, settings: Settings, notes: PokeNotes, *, is_child: bool) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if is_child:
        _watch_parent(lambda: loop.call_soon_threadsafe(stop.set))
    async with open_context(settings) as context:
        await SensorProcess(graph, settings, context, notes).run(stop)


def _watch_parent(gone: Callable[[], object]) -> None:
    """Call `gone` when standard input ends: the parent process has ended."""

    def read() -> None:
        while os.read(0, 1024):
            pass
        gone()

    threading.Thread(target=read, name="parent", daemon=True).start()


def _sensor_of(task: str | None) -> str | None:
    what, _, id_ = (task or "").partition(" ")
    return id_ if what == "poke" else None
