"""Thousands of occurrences wait: no event is refused or dear because of them, and all count."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.triggers.condition import AnyCondition, OnEvent
from lineagegraph.model.triggers.trigger import Pick, Trigger
from lineagegraph.triggers.react import react_to_events
from tests.integration.scheduling.rules import end, write_rules
from tests.integration.scheduling.test_how_often import A as ENDED

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
A, B = OnEvent(name="a"), OnEvent(name="b")
# More than are read of a leaf in one round, see `cypher/triggers/cells/list_truths.cypher`.
MANY = 1_300


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def rule(graph: Graph, when: AnyCondition, **terms: Any) -> None:
    graph.write(write_rules, {"job": Trigger(when=when, **terms)}, NOON)


def say(graph: Graph, name: str, count: int, begin: float = 0) -> int:
    """Let an event happen so often, a millisecond apart; return the number of firings."""
    times = [after(begin + number / 1000) for number in range(1, count + 1)]
    rows = [{"id": f"{name} {begin:04} {number:05}", "at": at} for number, at in enumerate(times)]
    text = "UNWIND $rows AS row CREATE (e:ExternalEvent {name: $name, occurred_at: row.at})"
    graph.query(f"{text} SET e.id = row.id", {"rows": rows, "name": name}, write=True)
    ids = [row["id"] for row in rows]
    fired = graph.write(react_to_events, ids, now=times[-1])
    return sum(one.run_id is not None for one in fired)


def taken(graph: Graph) -> list[list[str]]:
    """Return the ids of the events that each firing chose, the oldest firing first."""
    rows = graph.query(
        "MATCH (f:Firing)-[:CONSUMED {chosen: true}]->(e) WITH f, e ORDER BY e.id "
        "WITH f, collect(e.id) AS ids ORDER BY f.generation RETURN ids"
    )
    return [row["ids"] for row in rows]


def held(graph: Graph) -> int:
    return int(graph.query("MATCH (:Cell)-[h:HOLDS]->() RETURN count(h) AS n")[0]["n"])


def test_each_of_thousands_is_paired_with_the_oldest_of_the_other_side(graph: Graph) -> None:
    rule(graph, A & B)
    assert say(graph, "a", MANY) == 0
    assert say(graph, "b", MANY - 1, begin=10) == MANY - 1
    pairs = [[f"a 0000 {n:05}", f"b 0010 {n:05}"] for n in range(MANY - 1)]
    assert (taken(graph), held(graph)) == (pairs, 1)


def test_thousands_at_once_fire_one_by_one_in_order(graph: Graph) -> None:
    rule(graph, A | B)
    assert say(graph, "a", MANY) == MANY
    assert taken(graph) == [[f"a 0000 {n:05}"] for n in range(MANY)]


@pytest.mark.parametrize(("pick", "chosen"), [(Pick.ALL, MANY + 1), (Pick.LATEST, 2)])
def test_thousands_that_wait_are_joined(graph: Graph, pick: Pick, chosen: int) -> None:
    rule(graph, A & B, pick=pick)
    say(graph, "a", MANY)
    assert say(graph, "b", 1, begin=10) == 1
    (ids,) = taken(graph)
    assert len(ids) == chosen
    assert f"a 0000 {MANY - 1:05}" in ids
    assert held(graph) == 0


@pytest.mark.parametrize("within", [None, "1h"])
def test_what_needs_thousands_and_something_else_refuses_no_event(
    graph: Graph, within: str | None
) -> None:
    both = A.times(2_500) & B
    rule(graph, both.within(within) if within else both)
    say(graph, "a", 3_000)
    assert say(graph, "a", 2_300, begin=20) == 0
    assert say(graph, "b", 1, begin=40) == 1
    (ids,) = taken(graph)
    assert ids[:-1] == [f"a 0000 {n:05}" for n in range(2_500)]
    assert held(graph) == 2_800


def test_a_long_value_to_correlate_by_refuses_no_event(graph: Graph) -> None:
    rule(graph, ENDED, correlate_by="region")
    for number, region in enumerate(("x" * 20_000, "x" * 20_001, "x" * 20_000), 1):
        assert len(end(graph, "a", at=after(number), own={"params": {"region": region}})) == 1
    assert graph.query("MATCH (c:Cell) RETURN count(c) AS n") == [{"n": 2}]


def test_values_that_differ_in_spaces_are_different_cells(graph: Graph) -> None:
    rule(graph, ENDED.times(2), correlate_by="region")
    for number, region in enumerate(("EU", "EU "), 1):
        assert end(graph, "a", at=after(number), own={"params": {"region": region}}) == []
