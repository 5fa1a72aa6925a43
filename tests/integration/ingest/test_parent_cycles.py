"""Cycles of parents: kept at any length, never walked for ever, and listed while they last."""

import random
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.finish_moves import settle
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.ids import new_id
from lineagegraph.notebook.session import Session
from lineagegraph.queries.analysis import find_parent_cycles
from lineagegraph.settings import Settings
from tests.events import run_event


def cycle(size: int) -> list[dict[str, Any]]:
    """Runs that are each the parent of the next, and the last one that of the first."""
    ids = [new_id() for _ in range(size)]
    return [
        run_event(f"r{n}", run_id=ids[n], parent=(ids[n - 1], f"r{(n - 1) % size}"))
        for n in range(size)
    ]


def send(graph: Graph, events: list[dict[str, Any]], batch: int = 1) -> None:
    for start in range(0, len(events), batch):
        graph.write(record, extract(events[start : start + batch]))
    while graph.write(settle):
        pass


def sizes(graph: Graph) -> list[int]:
    return sorted(len(one.runs) for one in find_parent_cycles(graph))


@pytest.mark.parametrize("size", [2, 102])
@pytest.mark.parametrize("batch", [1, 40, 102])
def test_a_cycle_of_any_length_is_kept_with_one_job_for_each_run_in_any_order(
    graph: Graph, size: int, batch: int
) -> None:
    events = cycle(size)
    random.Random(size).shuffle(events)
    send(graph, events, batch)
    (row,) = graph.query("MATCH (j:Job) RETURN count(j) AS jobs, max(size(j.fqn)) AS longest")
    assert (row["jobs"], row["longest"] <= 4) == (size, True), row
    assert sizes(graph) == [size]


def test_cycles_are_listed_until_a_later_parent_opens_them(graph: Graph) -> None:
    three, four = cycle(3), cycle(4)
    below = run_event("below", parent=(three[1]["run"]["runId"], "r1"))
    send(graph, [*four, below, *three])
    assert sizes(graph) == [3, 4]
    (found,) = (one.runs for one in find_parent_cycles(graph) if len(one.runs) == 3)
    assert [run.parent_id for run in found] == [run.id for run in (*found[1:], found[0])]
    assert {run.job for run in found} == {"r0", "r1", "r2"}
    for row in Session(graph, Settings()).parent_cycles().records:
        assert row["cycle"].count(" ← ") == len(row["runs"]) - 1
    opened = run_event("r0", run_id=three[0]["run"]["runId"], parent=(new_id(), "dag"))
    opened["eventTime"] = "2030-01-01T00:00:00Z"
    send(graph, [opened])
    assert sizes(graph) == [4]
    jobs = {row["n"] for row in graph.query("MATCH (j:Job) RETURN j.fqn AS n")}
    assert {"dag.r0.r1.r2", "dag.r0.r1.below"} <= jobs
    assert graph.query("MATCH (r:Run) WHERE r.on_cycle RETURN count(r) AS n") == [{"n": 4}]


def test_a_batch_that_joins_two_cycles_to_one_and_opens_a_third_marks_what_is_left(
    graph: Graph,
) -> None:
    two, three, five = cycle(2), cycle(3), cycle(5)
    send(graph, [*two, *three, *five], batch=20)
    assert sizes(graph) == [2, 3, 5]

    def moved(event: dict[str, Any], to: dict[str, Any]) -> dict[str, Any]:
        parent = (to["run"]["runId"], to["job"]["name"])
        later = run_event(event["job"]["name"], run_id=event["run"]["runId"], parent=parent)
        return later | {"eventTime": "2030-01-01T00:00:00Z"}

    batch = [moved(two[0], three[-1]), moved(three[0], two[-1]), moved(five[2], two[0])]
    send(graph, batch, batch=3)
    assert sizes(graph) == [5]
    (found,) = find_parent_cycles(graph)
    assert {run.id for run in found.runs} == {one["run"]["runId"] for one in (*two, *three)}
    assert graph.query("MATCH (r:Run) WHERE r.on_cycle RETURN count(r) AS n") == [{"n": 5}]
