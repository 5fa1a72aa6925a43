"""Interrupts of the main thread while it reads and writes the graph."""

import random
import signal
import time
from collections.abc import Callable, Iterator
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


class TooLate(Exception):
    """What a program raises after its time is up, wherever it is."""


def _raise(*_: object) -> None:
    raise TooLate


@pytest.mark.parametrize("interrupt", [signal.default_int_handler, signal.SIG_IGN, _raise])
def test_an_answer_that_an_alarm_of_the_program_cuts_off_is_not_given_to_the_next_question(
    graph: Graph, interrupt: Callable[..., object]
) -> None:
    dice = random.Random(7)
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        for number in range(TIMES):
            with pytest.raises(TooLate), alarm_after(dice.uniform(0.02, 0.06)):
                ask_and_ask(graph)
            said = graph.query("RETURN $number AS number", {"number": number})
            assert said == [{"number": number}]
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_write_that_an_alarm_of_the_program_cuts_off_is_undone(graph: Graph) -> None:
    def work(tx: Transaction) -> None:
        tx.run("CREATE (:Interrupted)").consume()
        time.sleep(0.4)
        tx.run("CREATE (:Interrupted)").consume()

    with pytest.raises(TooLate), alarm_after(0.2):
        graph.write(work)
    assert graph.query(COUNT) == [{"count": 0}]


@contextmanager
def alarm_after(seconds: float) -> Iterator[None]:
    """Raise `TooLate` in the block, as programs do that limit their time by an alarm."""
    before = signal.signal(signal.SIGALRM, _raise)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
