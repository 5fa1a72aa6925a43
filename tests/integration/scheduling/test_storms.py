"""Triggers that cause themselves are suspended with their path; schedules and listeners go on."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnCron, OnDataset, OnStatus
from lineagegraph.model.triggers.trigger import Pick, Trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.triggers.triggers import find_trigger
from lineagegraph.settings import load_settings
from lineagegraph.store.runs import launches
from lineagegraph.triggers.external_event import record_event
from lineagegraph.triggers.react import react_to_times
from tests.command_line import CommandLine
from tests.integration.scheduling.rules import GO, end, firing_states, say, write_rules

START = datetime(2026, 3, 1, tzinfo=UTC)
LIMIT = 5
QUEUED = "MATCH (r:Run {launch: 'QUEUED'}) SET r.launch = null RETURN r.id AS id"
D = OnDataset(namespace="file", name="d")


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LINEAGEGRAPH_TRIGGER_REPEAT_LIMIT", str(LIMIT))
    load_settings.cache_clear()
    yield
    load_settings.cache_clear()


def at(number: int) -> datetime:
    return START + timedelta(minutes=number)


def queued(graph: Graph, job: str) -> str:
    (row,) = graph.query(
        "MATCH (r:Run {job_key: $key, launch: 'QUEUED'}) SET r.launch = null RETURN r.id AS id",
        {"key": job_key(None, "default", job)},
        write=True,
    )
    return str(row["id"])


def depths(graph: Graph) -> list[int]:
    rows = graph.query("MATCH (f:Firing) RETURN f.depth AS depth ORDER BY f.fired_at")
    return [row["depth"] for row in rows]


def write(graph: Graph, job: str, run_id: str, number: int) -> None:
    end(graph, job, run_id=run_id, at=at(number), outputs=(("file", "d"),))


@pytest.mark.parametrize("pick", list(Pick))
def test_a_task_that_sends_the_event_that_starts_it_is_stopped(graph: Graph, pick: Pick) -> None:
    rules = {"report": Trigger(when=GO, pick=pick), "listener": Trigger(when=GO)}
    graph.write(write_rules, rules, at(0))
    assert graph.write(say, "go", at(1))
    for number in range(2, 20):
        if find_trigger(graph, "report").enabled:
            run_id = queued(graph, "report")
            graph.write(record_event, "go", run_id=run_id, occurred_at=at(number), now=at(number))
    states = firing_states(graph)
    assert states["report"] == ["STARTED"] * LIMIT + ["DEAD_LETTER"]
    # Whoever only listens to the storm is not part of it.
    assert states["listener"] == ["STARTED"] * (LIMIT + 1)
    found = find_trigger(graph, "report")
    because = f"it caused itself, {LIMIT} times from one cause: report → report"
    assert not found.enabled
    assert found.suspended_because == because
    path = graph.query(
        "MATCH p = (:Firing {state: 'DEAD_LETTER'})-[:FOLLOWS*]->(f) RETURN max(length(p)) AS n"
    )
    assert path == [{"n": LIMIT}]
    assert graph.write(say, "go", at(21))
    assert firing_states(graph)["report"] == states["report"]


def test_a_loop_through_lineage_that_was_learned_later_is_stopped(graph: Graph) -> None:
    after = OnStatus(job="load", statuses=(RunState.COMPLETED,))
    graph.write(write_rules, {"load": Trigger(when=D), "clean": Trigger(when=after)}, at(0))
    assert end(graph, "feed", at=at(1), outputs=(("file", "d"),))
    for number in range(2, 20, 2):
        if find_trigger(graph, "load").enabled:
            end(graph, "load", run_id=queued(graph, "load"), at=at(number))
            write(graph, "clean", queued(graph, "clean"), number + 1)
    found = find_trigger(graph, "load")
    assert found.suspended_because is not None
    assert "load → clean → load" in found.suspended_because
    assert find_trigger(graph, "clean").enabled
    assert firing_states(graph)["load"] == ["STARTED"] * LIMIT + ["DEAD_LETTER"]


def test_a_storm_that_doubles_with_each_turn_is_stopped_as_soon(graph: Graph) -> None:
    graph.write(write_rules, {"report": Trigger(when=GO)}, at(0))
    graph.write(say, "go", at(1))
    runs = [queued(graph, "report")]
    for number in range(2, 6):
        for run_id, twice in product(runs, "ab"):
            graph.write(
                record_event,
                "go",
                event_id=f"{run_id} {twice}",
                run_id=run_id,
                occurred_at=at(number),
                now=at(number),
            )
        runs = [row["id"] for row in graph.query(QUEUED, write=True)]
    assert not find_trigger(graph, "report").enabled
    assert firing_states(graph)["report"] == ["STARTED"] * LIMIT + ["DEAD_LETTER"]


def test_an_event_of_a_task_below_counts_for_the_run_that_the_firing_started(graph: Graph) -> None:
    graph.write(write_rules, {"report": Trigger(when=GO)}, at(0))
    graph.write(say, "go", at(1))
    run_id = queued(graph, "report")
    graph.query(
        "MATCH (r:Run {id: $id}) CREATE (r)-[:PARENT_OF]->(:Run {id: 'below'})",
        {"id": run_id},
        write=True,
    )
    graph.write(record_event, "go", run_id="below", occurred_at=at(2), now=at(2))
    assert depths(graph) == [1, 2]


def test_a_schedule_never_counts(graph: Graph) -> None:
    minutely = OnCron(cron="* * * * *", zone="UTC")
    # It waits for what it wrote itself, and for a time that comes from outside.
    rules = {"plain": Trigger(when=minutely), "own": Trigger(when=minutely & D)}
    graph.write(write_rules, rules, at(0))
    end(graph, "feed", at=at(0), outputs=(("file", "d"),))
    for number in range(1, 4 * LIMIT):
        graph.write(react_to_times, now=at(number))
        write(graph, "own", queued(graph, "own"), number)
    assert set(depths(graph)) == {1}
    assert find_trigger(graph, "own").enabled
    assert find_trigger(graph, "plain").enabled


def test_a_chain_of_many_triggers_is_no_storm_nor_is_an_allowed_cycle(graph: Graph) -> None:
    jobs = [f"job_{number}" for number in range(3 * LIMIT)]
    rules = {
        job: Trigger(when=OnStatus(job=before, statuses=(RunState.COMPLETED,)))
        for before, job in zip(["first", *jobs], jobs, strict=False)
    }
    loop = OnStatus(job="poll", statuses=(RunState.COMPLETED,))
    graph.write(write_rules, rules | {"poll": Trigger(when=loop, allow_cycle=True)}, at(0))
    end(graph, "first", at=at(1))
    end(graph, "poll", at=at(1))
    for number, job in enumerate(jobs, 2):
        end(graph, job, run_id=queued(graph, job), at=at(number))
        end(graph, "poll", run_id=queued(graph, "poll"), at=at(number))
    assert all(set(states) == {"STARTED"} for states in firing_states(graph).values())


def test_a_suspension_is_told_and_ends_when_the_trigger_is_enabled(
    graph: Graph, server: ServerAddress
) -> None:
    graph.write(write_rules, {"report": Trigger(when=GO)}, at(0))
    graph.write(say, "go", at(1))
    for number in range(2, LIMIT + 2):
        run_id = queued(graph, "report")
        graph.write(record_event, "go", run_id=run_id, occurred_at=at(number), now=at(number))
    said = CommandLine(server)
    assert ": it caused itself, 5 times" in said("trigger", "why", "report").stdout
    assert "DEAD_LETTER" in said("firings", "report").stdout
    assert len(json.loads(said("audit", "--action", "trigger.suspend", "--json").stdout)) == 1
    said("trigger", "enable", "report")
    assert graph.write(say, "go", datetime.now(UTC))
    assert find_trigger(graph, "report").suspended_because is None


def test_a_run_that_a_task_asked_for_goes_back_to_the_firing_that_started_the_task(
    graph: Graph,
) -> None:
    after = OnStatus(job="load", statuses=(RunState.COMPLETED,))
    graph.write(write_rules, {"report": Trigger(when=after)}, at(0))
    end(graph, "load", at=at(1))
    for number in range(2, 20):
        if find_trigger(graph, "report").enabled:
            asked = new_id()
            graph.write(
                launches.merge_queued,
                run_id=asked,
                job_key=job_key(None, "default", "load"),
                params=None,
                only=[],
                asked_by=queued(graph, "report"),
                now=at(number),
            )
            end(graph, "load", run_id=asked, at=at(number))
    assert firing_states(graph)["report"] == ["STARTED"] * LIMIT + ["DEAD_LETTER"]
    assert "report → report" in (find_trigger(graph, "report").suspended_because or "")
