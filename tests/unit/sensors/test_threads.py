"""Threads for what blocks are many, and not endless."""

import asyncio
from threading import Event

import pytest

from lineagegraph.errors import PokeFailed, PokeOverdue
from lineagegraph.sensors.threads import Threads


def test_a_call_returns_or_raises_what_its_function_does() -> None:
    threads = Threads(2)

    async def calls() -> None:
        assert await threads.call("x", max, 1, 2) == 2
        with pytest.raises(ZeroDivisionError):
            await threads.call("x", divmod, 1, 0)
        with pytest.raises(PokeFailed, match="StopIteration"):
            await threads.call("x", next, iter(()))

    asyncio.run(calls())


def test_threads_that_hang_leave_room_for_others_until_all_do() -> None:
    threads, end = Threads(2), Event()

    async def calls() -> None:
        hanging = [asyncio.create_task(threads.call(key, end.wait)) for key in "ab"]
        while threads.running < 2:
            await asyncio.sleep(0)
        with pytest.raises(PokeFailed, match="all 2 threads hang"):
            await threads.call("c", max, 1, 2)
        end.set()
        await asyncio.gather(*hanging)
        assert await threads.call("c", max, 1, 2) == 2

    asyncio.run(calls())


def test_an_answer_for_which_nobody_waits_any_more_goes_nowhere() -> None:
    threads, end = Threads(2), Event()

    async def given_up() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await threads.call("a", end.wait)

    asyncio.run(given_up())
    end.set()
    while threads.running:
        pass


def test_a_call_waits_for_a_cancelled_one_with_its_key() -> None:
    threads, end = Threads(4), Event()

    async def calls() -> None:
        cancelled = asyncio.create_task(threads.call("a", end.wait, limit=60))
        while not threads.running:
            await asyncio.sleep(0)
        cancelled.cancel()
        next_one = asyncio.create_task(threads.call("a", max, 1, 2, limit=60))
        await asyncio.sleep(0.1)
        assert threads.running == 1
        assert not next_one.done()
        end.set()
        assert await next_one == 2

    asyncio.run(calls())


def test_a_call_does_not_wait_for_one_that_has_run_for_its_limit() -> None:
    threads, end = Threads(4), Event()

    async def calls() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await threads.call("a", end.wait, limit=0.05)
        with pytest.raises(PokeOverdue, match="the previous poke has not returned for 0 s"):
            await threads.call("a", max, 1, 2, limit=60)
        end.set()

    asyncio.run(calls())


def test_a_kind_that_hangs_leaves_half_of_the_threads_to_others() -> None:
    threads, end = Threads(4), Event()

    async def calls() -> None:
        hanging = [asyncio.create_task(threads.call(f"slow {key}", end.wait)) for key in "ab"]
        while threads.running < 2:
            await asyncio.sleep(0)
        with pytest.raises(PokeFailed, match="half of all 4 threads poke sensors of kind slow"):
            await threads.call("slow c", max, 1, 2)
        assert await threads.call("file c", max, 1, 2) == 2
        end.set()
        await asyncio.gather(*hanging)

    asyncio.run(calls())
