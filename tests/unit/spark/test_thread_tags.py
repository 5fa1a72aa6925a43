"""Pools that are kept across tasks work for the task that calls them."""

from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from multiprocessing.pool import ThreadPool
from threading import Event

import pytest

from lineagegraph.model.holding import holding
from lineagegraph.spark.thread_tags import passing_on

working: ContextVar[str | None] = ContextVar("working", default=None)


def task(name):
    return passing_on(lambda: holding(working, name))


def now(*_):
    return working.get()


CALLS = [
    lambda pool: pool.apply(now),
    lambda pool: pool.apply_async(now).get(),
    lambda pool: pool.map(now, [1])[0],
    lambda pool: pool.map(func=now, iterable=[1])[0],
    lambda pool: pool.map_async(now, [1]).get()[0],
    lambda pool: pool.starmap(now, [(1,)])[0],
    lambda pool: pool.starmap_async(now, [(1,)]).get()[0],
    lambda pool: next(pool.imap(now, [1])),
    lambda pool: next(pool.imap_unordered(now, [1])),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_pool_of_multiprocessing_works_for_its_caller(call):
    with task("first"):
        pool = ThreadPool(1)
        assert call(pool) == "first"
    with pool:
        with task("second"):
            assert call(pool) == "second"
        assert call(pool) is None


def test_an_executor_works_for_its_caller():
    with task("first"):
        pool = ThreadPoolExecutor(1)
        assert pool.submit(now).result() == "first"
    with pool:
        with task("second"):
            assert pool.submit(now).result() == "second"
        assert pool.submit(now).result() is None


def test_what_a_pool_calls_beside_its_function_works_for_the_caller_too():
    seen = []

    def note(*_):
        seen.append(now())

    def values():
        note()
        yield 1

    with task("first"), ThreadPool(1, initializer=note) as pool:
        done = Event()

        def go_on(_):
            note()
            pool.apply_async(note, callback=lambda _: done.set())

        pool.apply_async(now, callback=go_on)
        assert done.wait(10)
        assert list(pool.imap(now, values())) == ["first"]
    assert seen == ["first"] * 4


def test_a_pool_takes_what_it_took_before():
    with task("first"), ThreadPool(1) as pool:
        assert pool.apply_async(max, (1, 2), {"key": abs}, None, None).get() == 2
        with pytest.raises(TypeError):
            pool.apply_async()
        with pytest.raises(ZeroDivisionError):
            list(pool.imap(lambda one: 1 / one, iter([0])))
