"""The guard of publishing holds in every thread that works for a run."""

import _thread
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Thread

import pytest

from lineagegraph.errors import RunError
from lineagegraph.spark.tables.guard import check_may_publish, guarding, has_guard


def lost():
    raise RunError("the run now has another worker")


def asked(answers):
    try:
        check_may_publish()
        answers.put("may publish")
    except RunError:
        answers.put("refused")


def in_a_thread(answers):
    thread = Thread(target=asked, args=(answers,))
    thread.start()
    thread.join()


def in_a_pool(answers):
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asked, answers).result()


def in_a_thread_that_nobody_knows(answers):
    _thread.start_new_thread(asked, (answers,))


@pytest.mark.parametrize(
    "work",
    [asked, in_a_thread, in_a_pool, in_a_thread_that_nobody_knows],
    ids=lambda one: one.__name__,
)
def test_a_run_that_was_lost_publishes_in_no_thread(work):
    answers = SimpleQueue()
    with guarding(lost):
        work(answers)
        assert answers.get(timeout=30) == "refused"
    assert not has_guard()
    work(answers)
    assert answers.get(timeout=30) == "may publish"
