"""What a sensor process asks of the graph."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, tzinfo
from threading import Event
from time import sleep
from typing import Any, Self

import pytest

from lineagegraph.graph import Graph
from lineagegraph.liveness.clock import DatabaseClock
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.sensing.graph_gateway import Desk
from lineagegraph.sensing.shards import Shards
from lineagegraph.settings import Settings
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.sensors.sensors import WokenWaiter
from lineagegraph.waits.poke import Settled


class Heeded(Shards):
    """Shards that somebody looks at as soon as they are held."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "held" and value:
            self.held_for(0)


def test_what_is_held_is_held_since_a_time(graph: Graph, settings: Settings) -> None:
    shards = Heeded(settings)
    assert len(shards.keep(graph).gained) == settings.sensor_shards
    assert shards.held_for(60) == {}
    shards.leave(graph)


def test_the_clock_is_read_before_shards_are_held(graph: Graph, settings: Settings) -> None:
    shards = Shards(settings)
    held: list[int] = []

    class Clock(DatabaseClock):
        def read(self, graph: Graph) -> None:
            held.append(len(shards.held))
            super().read(graph)

    found = Desk(graph, settings, shards)
    found.clock = Clock()
    asyncio.run(found.keep_shards({}))
    assert held == [0]
    assert isinstance(found.clock(), datetime)
    shards.leave(graph)


def test_a_step_of_this_clock_does_not_change_the_time_of_pokes(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = DatabaseClock()
    clock.read(graph)
    before = clock()

    class Stepped(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return super().now(tz) + timedelta(hours=1)

    monkeypatch.setattr("lineagegraph.liveness.clock.datetime", Stepped)
    assert before <= clock() <= graph.read(get_time)


def test_who_cannot_be_nudged_spoils_no_settling(server: ServerAddress, settings: Settings) -> None:
    with Graph(server.bolt, server.user, server.password, "nowhere") as broken:
        found = Desk(broken, settings, Shards(settings))
        woken = Settled(woken=(WokenWaiter("run", "127.0.0.1:1"),))
        asyncio.run(found._wake(woken))


def test_what_another_thread_is_taking_is_given_away_too(graph: Graph, settings: Settings) -> None:
    taking = Event()

    class Slow(Shards):
        def _claim(self, *args: Any) -> dict[int, int]:
            claimed = super()._claim(*args)
            taking.set()
            sleep(1)
            return claimed

    shards = Slow(settings)
    with ThreadPoolExecutor(2) as threads:
        kept = threads.submit(shards.keep, graph)
        assert taking.wait(20)
        left = threads.submit(shards.leave, graph)
        kept.result()
        left.result()
    assert shards.keep(graph).gained == []
    assert graph.query("MATCH (h:SensorShard) WHERE h.owner IS NOT NULL RETURN h") == []
    assert graph.query("MATCH (p:Process) RETURN p") == []


def test_what_a_dead_process_held_is_free_after_the_clock_was_put_back(
    graph: Graph, settings: Settings
) -> None:
    dead, living = Shards(settings), Shards(settings)
    dead.keep(graph)
    _put_clock_back(graph)
    assert len(living.keep(graph).gained) == settings.sensor_shards
    living.leave(graph)


def test_who_renews_after_the_clock_was_put_back_keeps_its_part(
    graph: Graph, settings: Settings
) -> None:
    first, second = Shards(settings), Shards(settings)
    first.keep(graph)
    _put_clock_back(graph)
    assert first.keep(graph).lost == []
    assert second.keep(graph).gained == []
    first.leave(graph)
    second.leave(graph)


def _put_clock_back(graph: Graph) -> None:
    """Move what was written an hour into the future."""
    graph.query(
        "MATCH (h:SensorShard) SET h.leased_at = h.leased_at + duration('PT1H'), "
        "h.lease_until = h.lease_until + duration('PT1H')",
        write=True,
    )
    graph.query(
        "MATCH (p:Process) SET p.heartbeat_at = p.heartbeat_at + duration('PT1H')", write=True
    )
