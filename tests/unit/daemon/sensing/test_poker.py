"""Each sensor is poked when it is due, and a slow one holds up no other."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from lineagegraph.errors import PokeFailed, PokeOverdue
from lineagegraph.model.new_items import new_items
from lineagegraph.sensing.limits import Limits
from lineagegraph.sensing.measures import Measures
from lineagegraph.sensing.poker import Poker
from lineagegraph.sensing.watched import Watched
from lineagegraph.sensors import Sensor
from lineagegraph.sensors.answer import PokeAnswer
from lineagegraph.waits.poke import Poke


class Thing(Sensor, frozen=True):
    """Something that a test looks at."""

    kind: ClassVar[str] = "thing"
    at_once: ClassVar[int] = 3
    name: str
    at: str | None = None

    def host(self) -> str | None:
        if self.at == "nowhere":
            raise ValueError("no host")
        return self.at


class World:
    """Answers as it is told to, and counts."""

    def __init__(self) -> None:
        self.there: set[str] = set()
        self.hangs: set[str] = set()
        self.fails: dict[str, PokeFailed] = {}
        self.pokes: Counter[str] = Counter()
        self.running: Counter[str | None] = Counter()
        self.most: Counter[str | None] = Counter()
        self.answers: list[Poke] = []

    async def look(self, known: Watched) -> bool:
        sensor = known.sensor
        assert isinstance(sensor, Thing)
        self.pokes[sensor.name] += 1
        self.running[sensor.at] += 1
        self.most[sensor.at] = max(self.most[sensor.at], self.running[sensor.at])
        try:
            await asyncio.sleep(0)
            while sensor.name in self.hangs:
                await asyncio.sleep(0.001)
        finally:
            self.running[sensor.at] -= 1
        if sensor.name in self.fails:
            raise self.fails[sensor.name]
        return sensor.name in self.there


def watched(name: str, interval: float = 0.02, at: str | None = None) -> Watched:
    now = datetime.now(UTC)
    return Watched(name, 0, Thing(name=name, at=at), interval, now, is_watched=False)


async def until(what: Callable[[], object]) -> None:
    for _ in range(3_000):
        if what():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came")


def play(act: Callable[[Poker, World], Awaitable[None]], of_kind: type[Poker] = Poker) -> World:
    async def main() -> World:
        world = World()
        poker = of_kind(
            world.look,
            world.answers.append,
            limits=Limits(per_host=2),
            clock=lambda: datetime.now(UTC),
            measures=Measures(),
        )
        task = asyncio.create_task(poker.run())
        await act(poker, world)
        task.cancel()
        await poker.close()
        return world

    return asyncio.run(main())


def test_a_sensor_is_poked_again_and_again_and_false_is_told_once() -> None:
    async def act(poker: Poker, world: World) -> None:
        poker.watch(watched("a"))
        await until(lambda: world.answers)
        poker.settled(world.answers[0], is_kept=True)
        await until(lambda: world.pokes["a"] > 3)

    world = play(act)
    assert world.pokes["a"] > 3
    assert [one.is_true for one in world.answers] == [False]


def test_sensors_that_are_apart_keep_no_others_of_their_host_waiting() -> None:
    async def act(poker: Poker, world: World) -> None:
        world.hangs |= {"a", "b", "c"}
        world.there.add("good")
        for name in world.hangs:
            poker.watch(replace(watched(name, at="host"), is_apart=True))
        await until(lambda: world.running["host"] == 3)
        poker.watch(watched("good", at="host"))
        await until(lambda: world.answers)

    assert [one.id for one in play(act).answers] == ["good"]


def test_a_sensor_that_waits_for_a_lane_of_suspects_keeps_no_others_of_its_host_waiting() -> None:
    async def act(poker: Poker, world: World) -> None:
        poker._is_apart = lambda known: known.id in world.hangs
        world.hangs |= {"a", "b", "c"}
        world.there.add("good")
        for name in [*world.hangs, "good"]:
            poker.watch(watched(name, at="host"))
        await until(lambda: world.answers)

    assert [one.id for one in play(act).answers] == ["good"]


def test_a_sensor_rests_until_its_answer_is_taken() -> None:
    async def act(poker: Poker, world: World) -> None:
        world.there.add("a")
        poker.watch(watched("a"))
        await asyncio.sleep(0.1)

    assert play(act).pokes["a"] == 1


def test_a_sensor_that_is_true_is_forgotten_unless_somebody_still_waits() -> None:
    async def act(poker: Poker, world: World) -> None:
        world.there |= {"a", "b"}
        poker.watch(watched("a"))
        poker.watch(watched("b"))
        await until(lambda: len(world.answers) == 2)
        for answer in list(world.answers):
            poker.settled(answer, is_kept=answer.id == "b")
        await until(lambda: world.pokes["b"] == 2)
        assert list(poker.watched) == ["b"]

    assert play(act).pokes["a"] == 1


def test_who_begins_to_wait_during_a_poke_is_looked_for_again_at_once() -> None:
    async def act(poker: Poker, world: World) -> None:
        world.there.add("a")
        world.hangs.add("a")
        poker.watch(watched("a", interval=1000))
        await until(lambda: world.pokes["a"])
        poker.watch(watched("a", interval=1000))
        world.hangs.clear()
        await until(lambda: world.answers)
        poker.settled(world.answers[0], is_kept=False)
        await until(lambda: len(world.answers) == 2)

    assert play(act).pokes["a"] == 2


def test_a_wait_of_before_the_clock_was_put_back_is_not_poked_for_at_once_again() -> None:
    async def act(poker: Poker, world: World) -> None:
        known = watched("a", interval=1000)
        known.newest = datetime.now(UTC) + timedelta(hours=1)
        poker.watch(known)
        await until(lambda: world.answers)
        poker.settled(world.answers[0], is_kept=True)
        held = watched("b", interval=0.2)
        held.poked_at = held.newest = known.newest
        poker.watch(held)
        await until(lambda: world.pokes["b"])

    assert play(act).pokes["a"] == 1


class WatchedAtItsEnd(Poker):
    """A poker that hears of a newer wait at the very end of its first poke."""

    heard = False

    def _put_next(self, known: Watched, answer: Poke) -> None:
        super()._put_next(known, answer)
        if not self.heard:
            self.heard = True
            self.watch(watched(known.id, interval=1000))


def test_who_begins_to_wait_at_the_end_of_a_poke_is_looked_for_again_at_once() -> None:
    async def act(poker: Poker, world: World) -> None:
        poker.watch(watched("a", interval=1000))
        # False again is no news: the poke itself puts its sensor back.
        poker.watched["a"].is_true, poker.watched["a"].poked_at = False, datetime.now(UTC)
        await until(lambda: world.pokes["a"] == 2)

    assert not play(act, WatchedAtItsEnd).running[None]


def test_hanging_pokes_of_a_host_hold_up_no_other() -> None:
    async def act(poker: Poker, world: World) -> None:
        world.hangs |= {f"slow{n}" for n in range(9)}
        for n in range(9):
            poker.watch(watched(f"slow{n}", at="slow.example"))
        for n in range(9):
            poker.watch(watched(f"quick{n}"))
        await until(lambda: all(world.pokes[f"quick{n}"] for n in range(9)))

    assert play(act).most["slow.example"] == 2


def test_there_are_at_most_so_many_of_a_kind_at_once() -> None:
    async def act(poker: Poker, world: World) -> None:
        for n in range(20):
            poker.watch(watched(f"{n}"))
        await until(lambda: len(world.pokes) == 20)

    assert play(act).most[None] == 3


def test_errors_are_told_with_whether_the_poke_took_too_long() -> None:
    async def act(poker: Poker, world: World) -> None:
        world.fails = {"a": PokeFailed("no such host"), "b": PokeOverdue("no answer within 30s")}
        poker.watch(watched("a"))
        poker.watch(watched("b"))
        await until(lambda: len(world.answers) == 2)

    world = play(act)
    told = {one.id: (one.is_true, one.error, one.broke) for one in world.answers}
    assert told == {
        "a": (None, "no such host", False),
        "b": (None, "no answer within 30s", True),
    }


def test_a_kind_that_breaks_before_it_looks_is_told_as_an_error() -> None:
    async def act(poker: Poker, world: World) -> None:
        poker.watch(watched("a", at="nowhere"))
        await until(lambda: world.answers)

    (told,) = play(act).answers
    assert (told.is_true, told.error) == (None, "ValueError: no host")


def test_a_poke_ends_when_its_sensor_is_forgotten() -> None:
    async def act(poker: Poker, world: World) -> None:
        world.hangs.add("a")
        poker.watch(watched("a"))
        await until(lambda: world.running[None])
        poker.forget(["a"])
        await until(lambda: not world.running[None])

    assert play(act).answers == []


def test_nobody_hears_of_a_sensor_that_was_forgotten_while_it_was_poked() -> None:
    async def act(poker: Poker, world: World) -> None:
        world.there.add("a")
        world.hangs.add("a")
        poker.watch(watched("a"))
        await until(lambda: world.pokes["a"])
        poker.forget(["a"])
        world.hangs.clear()
        await asyncio.sleep(0.05)

    world = play(act)
    assert world.pokes["a"] == 1
    assert world.answers == []


def test_a_sensor_that_is_watched_again_while_it_is_poked_is_poked_after_that() -> None:
    async def act(poker: Poker, world: World) -> None:
        world.hangs.add("a")
        poker.watch(watched("a"))
        await until(lambda: world.pokes["a"])
        poker.forget(["a"])
        poker.watch(watched("a"))
        await asyncio.sleep(0.05)
        world.hangs.clear()
        await until(lambda: world.answers)

    world = play(act)
    assert (world.pokes["a"], world.most[None]) == (2, 1)
    assert len(world.answers) == 1


def growing(name: str, seconds_ago: float = 0.0) -> Watched:
    found = watched(name)
    found.backoff, found.off_since = 2.0, datetime.now(UTC) - timedelta(seconds=seconds_ago)
    return found


def test_the_interval_grows_while_a_sensor_is_false_and_starts_again_with_a_wait() -> None:
    async def act(poker: Poker, world: World) -> None:
        poker.watch(watched("steady"))
        poker.watch(growing("grows"))
        await until(lambda: len(world.answers) == 2)
        for answer in list(world.answers):
            poker.settled(answer, is_kept=True)
        await until(lambda: world.pokes["steady"] > 30)
        assert 3 <= world.pokes["grows"] <= 12
        before = world.pokes["grows"]
        poker.watch(growing("grows"))
        await until(lambda: world.pokes["grows"] > before)
        known = poker.watched["grows"]
        assert known.interval_at(datetime.now(UTC)) < 0.3

    play(act)


def test_a_sensor_that_is_true_keeps_its_interval_and_grows_from_there_when_it_is_false() -> None:
    known, now = growing("a", seconds_ago=100), datetime.now(UTC)
    assert known.interval_at(now) > 99
    known.is_true = True
    known.restart_interval(now)
    assert known.interval_at(now) == 0.02
    known.is_true = False
    assert known.interval_at(now + timedelta(seconds=3)) == 3.02


def test_the_values_of_an_answer_are_handed_on_and_none_of_them_is_false() -> None:
    answers: list[Poke] = []
    found: dict[str, dict[str, object]] = {"a": {"newest": "x"}, "b": {}}

    async def look(known: Watched) -> PokeAnswer:
        return found[known.id]

    async def main() -> None:
        poker = Poker(
            look,
            answers.append,
            limits=Limits(per_host=2),
            clock=lambda: datetime.now(UTC),
            measures=Measures(),
        )
        task = asyncio.create_task(poker.run())
        poker.watch(watched("a"))
        poker.watch(watched("b"))
        await until(lambda: len(answers) == 2)
        task.cancel()
        await poker.close()

    asyncio.run(main())
    said = {one.id: (one.is_true, one.value) for one in answers}
    assert said == {"a": (True, '{"newest":"x"}'), "b": (False, None)}


def _poked(
    found: PokeAnswer, known: Watched, moved: bool, quiet: bool = False
) -> tuple[list[Poke], list[str | None]]:
    """Poke one sensor three times; return its answers, and the cursors that the pokes had."""
    answers: list[Poke] = []
    cursors: list[str | None] = []

    async def look(asked: Watched) -> PokeAnswer:
        cursors.append(asked.cursor)
        return found

    async def main() -> None:
        def settle(answer: Poke) -> None:
            answers.append(answer)
            poker.settled(answer, is_kept=True, has_moved=moved)

        poker = Poker(
            look,
            settle,
            limits=Limits(per_host=2),
            clock=lambda: datetime.now(UTC),
            measures=Measures(),
        )
        task = asyncio.create_task(poker.run())
        poker.watch(known)
        await until(lambda: len(cursors) == 3)
        if quiet:
            answers.extend(poker.take_quiet())
        task.cancel()
        await poker.close()

    asyncio.run(main())
    return answers, cursors


def test_the_next_poke_has_the_cursor_once_its_items_were_taken() -> None:
    found = new_items([{"n": 1}], cursor=7)
    answers, cursors = _poked(found, watched("a"), moved=True)
    assert cursors == [None, "7", "7"]
    assert [one.after for one in answers[:3]] == [0, 1, 2]
    assert (answers[0].items, answers[0].cursor) == (('{"n":1}',), "7")
    answers, cursors = _poked(found, watched("a"), moved=False)
    assert (cursors, [one.after for one in answers]) == ([None] * 3, [0] * len(answers))


def test_a_cursor_that_moves_without_items_is_news_for_a_trigger_alone() -> None:
    known = watched("a")
    known.is_true, known.is_watched, known.cursor, known.newest = False, True, "1", None
    assert _poked(new_items([], cursor=2), known, moved=False)[0]
    known.is_watched = False
    assert not _poked(new_items([], cursor=2), known, moved=False)[0]


def test_a_cursor_from_the_graph_counts_if_it_is_a_later_one() -> None:
    known = watched("a")
    known.move_cursor("2", 2)
    known.move_cursor("1", 1)
    assert (known.cursor, known.cursor_number) == ("2", 2)
    known.move_cursor(None, 3)
    assert known.cursor is None


def test_no_items_behind_the_same_cursor_are_no_news_and_set_no_cursor() -> None:
    known = watched("a")
    known.is_true, known.is_watched, known.cursor, known.newest = False, True, "2", None
    quiet = _poked(new_items([], cursor=2), known, moved=False, quiet=True)[0]
    assert [(one.items, one.cursor, one.is_true) for one in quiet] == [(None, None, False)]
