"""How often a trigger fires: by what happened, not by when the engine heard of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.errors import InvalidRule
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.check import check_trigger
from lineagegraph.model.triggers.condition import (
    AnyCondition,
    AtLeast,
    OnDataset,
    OnStatus,
    Sequence,
)
from lineagegraph.model.triggers.trigger import Pick, Trigger
from lineagegraph.reactions.commit import commit
from tests.events import run_event
from tests.integration.scheduling.rules import end, write_rules

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
A, B, C = (OnStatus(job=name, statuses=(RunState.COMPLETED,)) for name in "abc")
ENDED = OnStatus(job="a", statuses=(RunState.COMPLETED, RunState.FAILED))
GOLD = OnDataset(namespace="file", name="/gold")


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def rule(graph: Graph, condition: AnyCondition, **terms: Any) -> None:
    graph.write(write_rules, {"job": Trigger(when=condition, **terms)}, NOON)


class CountedTransaction:
    """A transaction that counts its statements."""

    def __init__(self, tx: Transaction) -> None:
        self._tx, self.statements = tx, 0

    def run(self, *args: Any) -> Any:
        self.statements += 1
        return self._tx.run(*args)


def send(graph: Graph, jobs: str, *, at: datetime | None = None) -> tuple[int, int]:
    """Report the ends of runs in one transaction; return the firings and the statements."""
    times = [at or after(number) for number in range(1, len(jobs) + 1)]
    events = [run_event(job, at=at) for job, at in zip(jobs, times, strict=True)]

    def counted(tx: Transaction) -> tuple[int, int]:
        counts = CountedTransaction(tx)
        fired = commit(counts, extract(events), now=after(len(jobs)))  # type: ignore[arg-type]
        return sum(one.run_id is not None for one in fired), counts.statements

    return graph.write(counted)


@pytest.mark.parametrize(
    ("when", "batches", "expected"),
    [
        (A, ["aaa"], [3]),
        (A | B, ["ab", "a", "bba"], [2, 1, 3]),
        (A & B, ["aaa", "b", "bb"], [0, 1, 2]),
        (A & B, ["abab", "aabbb"], [2, 2]),
        (A & (B | C), ["aaa", "bc", "b"], [0, 2, 1]),
        (A.times(2), ["aaaaa", "a"], [2, 1]),
        (AtLeast(count=2, operands=(A, B, C)), ["abcabc"], [3]),
        (Sequence(operands=(A, B)), ["aabb", "ba"], [2, 0]),
        ((A & B).within("1h"), ["aab", "b"], [1, 1]),
        (A & ~B, ["aa"], [2]),
    ],
    ids=str,
)
def test_the_number_of_firings_does_not_depend_on_the_batches(
    graph: Graph, when: AnyCondition, batches: list[str], expected: list[int]
) -> None:
    rule(graph, when)
    assert [send(graph, batch)[0] for batch in batches] == expected


def test_runs_that_end_at_the_same_instant_fire_once_each(graph: Graph) -> None:
    rule(graph, A | B)
    assert send(graph, "aabab", at=after(1))[0] == 5


def test_a_run_that_meets_two_parts_of_an_or_fires_once(graph: Graph) -> None:
    rule(graph, A | ENDED)
    assert send(graph, "aa", at=after(1))[0] == 2


@pytest.mark.parametrize("pick", [Pick.LATEST, Pick.ALL])
@pytest.mark.parametrize(
    ("when", "batches", "expected"),
    [
        (A | B, ["a", "bab", "b"], [1, 1, 1]),
        (A & B, ["aa", "a", "bb", "b", "a", "ab"], [0, 0, 1, 0, 1, 1]),
        (A.times(2), ["a", "aaaa", "a", "a"], [0, 1, 0, 1]),
    ],
    ids=str,
)
def test_joined_firings_are_one_for_each_transaction_that_makes_the_condition_true(
    graph: Graph, pick: Pick, when: AnyCondition, batches: list[str], expected: list[int]
) -> None:
    rule(graph, when, pick=pick)
    assert [send(graph, batch)[0] for batch in batches] == expected


@pytest.mark.parametrize("pick", [Pick.LATEST, Pick.ALL])
def test_what_waits_is_joined_into_one_firing_on_request(graph: Graph, pick: Pick) -> None:
    rule(graph, A | B, pick=pick)
    assert send(graph, "abab")[0] == 1


@pytest.mark.parametrize("jobs", ["a" * 64, "ab" * 64], ids=["leaf", "and"])
def test_sixty_four_firings_need_the_statements_of_one(graph: Graph, jobs: str) -> None:
    rule(graph, A & B if "b" in jobs else A)
    one = jobs[: len(jobs) // 64]
    send(graph, one)
    assert send(graph, jobs) == (64, send(graph, one)[1])


@pytest.mark.parametrize("need", [129, 300])
def test_a_leaf_counts_as_many_as_it_asks_for(graph: Graph, need: int) -> None:
    rule(graph, A.times(need))
    assert [send(graph, "a" * (need - 1))[0], send(graph, "a")[0]] == [0, 1]
    assert send(graph, "a" * (2 * need + 1))[0] == 2


def write(graph: Graph, seconds: float, days: range) -> int:
    partitions = tuple({"day": str(day)} for day in days)
    at, outputs = after(seconds), (("file", "/gold"),)
    return len(end(graph, "writer", at=at, outputs=outputs, partitions=partitions))


def test_partitions_count_once_however_often_they_are_rewritten(graph: Graph) -> None:
    rule(graph, GOLD.times(150))
    assert [write(graph, n, range(100)) for n in range(1, 4)] == [0, 0, 0]
    assert write(graph, 5, range(100, 149)) == 0
    assert write(graph, 6, range(149, 150)) == 1
    assert write(graph, 7, range(149)) == 0
    assert write(graph, 8, range(149, 151)) == 1


def test_no_leaf_asks_for_more_than_it_can_count() -> None:
    check_trigger(Trigger(when=GOLD.times(10_000)))
    with pytest.raises(InvalidRule, match="partitions 100,000: use a number from 1 to 10,000"):
        check_trigger(Trigger(when=GOLD.times(100_000)))


def test_the_run_of_each_firing_gets_its_own_payload(graph: Graph) -> None:
    rule(graph, A)
    ids = [new_id(), new_id()]
    events = [run_event("a", run_id=id_, at=after(1)) for id_ in ids]
    graph.write(commit, extract(events), now=after(1))
    rows = graph.query(
        "MATCH (:Run)<-[:STARTED]-(f:Firing)-[:CONSUMED {chosen: true}]->(r:Run) "
        "RETURN f.key AS key, collect(r.id) AS ids"
    )
    assert sorted(row["ids"] for row in rows) == sorted([id_] for id_ in ids)
