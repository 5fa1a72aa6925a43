"""Interrupts of the main thread while it reads and writes the graph."""

import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lineagegraph.graph import Graph, Transaction

TIMES = 40
COUNT = "MATCH (n:Interrupted) RETURN count(n) AS count"


def test_an_answer_that_is_interrupted_is_not_given_to_the_next_question(graph: Graph) -> None:
    dice = random.Random(7)
    for number in range(TIMES):
        with pytest.raises(KeyboardInterrupt), interrupt_after(dice.uniform(0.02, 0.06)):
            ask_and_ask(graph)
        assert graph.query("RETURN $number AS number", {"number": number}) == [{"number": number}]


def ask_and_ask(graph: Graph) -> None:
    while True:
        graph.query("UNWIND range(1, 50) AS one RETURN one")


def test_a_write_that_is_interrupted_is_undone_before_the_interrupt_is_told(graph: Graph) -> None:
    def work(tx: Transaction) -> None:
        tx.run("CREATE (:Interrupted)").consume()
        time.sleep(0.4)
        tx.run("CREATE (:Interrupted)").consume()

    with pytest.raises(KeyboardInterrupt), interrupt_after(0.2):
        graph.write(work)
    assert graph.query(COUNT) == [{"count": 0}]
    graph.write(work)
    assert graph.query(COUNT) == [{"count": 2}]


@contextmanager
def interrupt_after(seconds: float) -> Iterator[None]:
    """Interrupt the block as Ctrl-C does, also in a process in the background, which ignores it."""
    numbers = signal.SIGINT, signal.SIGALRM
    before = [signal.signal(number, signal.default_int_handler) for number in numbers]
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
