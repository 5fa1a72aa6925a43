"""Parents that complete, and leases that come free, while a round over the waits is under way."""

from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import pytest

from lineagegraph.freshness import due_waits
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.freshness.terms import Dependency
from lineagegraph.model.pipelines.entry import Start, Waits
from lineagegraph.reactions.commit import commit
from lineagegraph.store.freshness import waits
from tests.events import run_event
from tests.integration.freshness.theatre import MAX_EVENT_AGE, Theatre

PARENT = Dependency(job="orders")


@pytest.fixture
def stage(graph: Graph) -> Theatre:
    stage = Theatre(graph)
    stage.know("orders")
    return stage


@pytest.fixture
def before_settling(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Functions that a round calls once, when it has judged and not yet written."""
    calls: list[Any] = []
    real = waits.settle_waits

    def settle(tx: Transaction, **given: Any) -> Any:
        while calls:
            calls.pop()()
        return real(tx, **given)

    monkeypatch.setattr(due_waits.waits, "settle_waits", settle)
    yield calls
    assert not calls


def test_a_parent_that_completes_while_it_is_judged_wakes_its_waits_in_the_next_round(
    stage: Theatre, before_settling: list[Any]
) -> None:
    task = stage.task("kpi", PARENT)
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=5)
    before_settling.append(lambda: stage.end("orders"))
    assert stage.settle() == set()
    assert stage.settle() == {task.root_id}


def test_a_parent_whose_completion_is_being_written_wakes_its_waits_in_the_next_round(
    stage: Theatre, before_settling: list[Any]
) -> None:
    task = stage.task("kpi", PARENT)
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=5)
    written, judged = Event(), Event()

    def complete(tx: Transaction) -> None:
        event = run_event("orders", "COMPLETE", at=stage.now)
        commit(tx, extract([event]), max_event_age=MAX_EVENT_AGE, now=stage.now)
        written.set()
        judged.wait(20)

    writing = Thread(target=stage.graph.write, args=(complete,))
    writing.start()
    assert written.wait(20)
    before_settling.append(judged.set)
    assert stage.settle() == set()
    writing.join(20)
    assert stage.settle() == {task.root_id}


def test_a_lease_that_comes_free_in_between_wakes_its_waits_in_the_next_round(
    stage: Theatre, before_settling: list[Any]
) -> None:
    first, second = stage.task("kpi"), stage.task("kpi")
    assert isinstance(stage.enter(first), Start)
    assert isinstance(stage.enter(second), Waits)
    stage.go(seconds=5)
    before_settling.append(lambda: stage.end("kpi", "FAIL", run_id=first.run_id))
    assert stage.settle() == set()
    assert stage.settle() == {second.root_id}


def test_a_wait_that_ended_in_between_is_not_taken_up_again(
    stage: Theatre, before_settling: list[Any]
) -> None:
    task = stage.task("kpi", PARENT)
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=5)
    before_settling.append(lambda: stage.stop_waiting(task))
    assert stage.settle() == set()
    stage.end("orders")
    stage.go(days=1)
    assert stage.settle() == set()
    assert not stage.is_settled(task)
