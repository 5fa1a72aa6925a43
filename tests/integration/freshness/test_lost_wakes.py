"""Parents that complete, and leases that come free, while a round over the waits is under way."""

from collections.abc import Callable, Iterator

import pytest

from lineagegraph.freshness import due_waits
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.freshness.terms import Counts, Dependency
from lineagegraph.model.pipelines.entry import Start, Waits
from lineagegraph.reactions.commit import commit
from tests.events import run_event
from tests.integration.freshness.theatre import MAX_EVENT_AGE, Theatre
from tests.integration.races.overlap import calling_after, overlap

PARENT = Dependency(job="orders")


@pytest.fixture
def stage(graph: Graph) -> Theatre:
    stage = Theatre(graph)
    stage.know("orders")
    return stage


@pytest.fixture
def once_judged(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Callable[[], object]]]:
    """Functions that a round calls once, when it has judged and not yet written."""
    calls = calling_after(monkeypatch, due_waits, "judge")
    yield calls
    assert not calls


def test_a_parent_that_completes_while_it_is_judged_wakes_its_waits_in_the_next_round(
    stage: Theatre, once_judged: list[Callable[[], object]]
) -> None:
    task = stage.task("kpi", PARENT)
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=5)
    once_judged.append(lambda: stage.end("orders"))
    assert stage.settle() == set()
    assert stage.settle() == {task.root_id}


def test_a_parent_whose_completion_is_being_written_wakes_its_waits_in_the_next_round(
    stage: Theatre,
) -> None:
    task = stage.task("kpi", PARENT)
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=5)
    event = run_event("orders", "COMPLETE", at=stage.now)
    woken = overlap(
        stage.graph,
        lambda tx: commit(tx, extract([event]), max_event_age=MAX_EVENT_AGE, now=stage.now),
        lambda tx: due_waits.end_due_waits(tx, zone="UTC", counts=Counts.END, now=stage.now),
    )
    assert woken == []
    assert stage.settle() == {task.root_id}


def test_a_lease_that_comes_free_in_between_wakes_its_waits_in_the_next_round(
    stage: Theatre, once_judged: list[Callable[[], object]]
) -> None:
    first, second = stage.task("kpi"), stage.task("kpi")
    assert isinstance(stage.enter(first), Start)
    assert isinstance(stage.enter(second), Waits)
    stage.go(seconds=5)
    once_judged.append(lambda: stage.end("kpi", "FAIL", run_id=first.run_id))
    assert stage.settle() == set()
    assert stage.settle() == {second.root_id}


def test_a_wait_that_ended_in_between_is_not_taken_up_again(
    stage: Theatre, once_judged: list[Callable[[], object]]
) -> None:
    task = stage.task("kpi", PARENT)
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=5)
    once_judged.append(lambda: stage.stop_waiting(task))
    assert stage.settle() == set()
    stage.end("orders")
    stage.go(days=1)
    assert stage.settle() == set()
    assert not stage.is_settled(task)
