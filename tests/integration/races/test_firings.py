"""Firings that two decide on at the same time: one of them does, and each starts one run."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.triggers.trigger import Overlap, Trigger
from lineagegraph.triggers import held
from lineagegraph.triggers.by_hand import redrive
from lineagegraph.triggers.held import release_held
from lineagegraph.triggers.write import delete_trigger
from tests.integration.races.overlap import calling_after, overlap
from tests.integration.scheduling.rules import GO, firing_states, say, write_rules

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


@pytest.fixture
def key(graph: Graph) -> str:
    """A firing that is held for another run, until a minute is over."""
    rule = Trigger(when=GO, overlap=Overlap.WAIT, ttl=60)
    graph.write(write_rules, {"job": rule}, NOON)
    graph.write(say, "go", NOON)
    graph.write(say, "go", after(1))
    (row,) = graph.query("MATCH (f:Firing {state: 'HELD'}) RETURN f.key AS key")
    graph.query("MATCH (r:Run) REMOVE r.launch", write=True)
    return str(row["key"])


def firing(graph: Graph, key: str) -> dict[str, Any]:
    """The state of a firing, what is to be told of it, and the number of its runs."""
    (row,) = graph.query(
        "MATCH (f:Firing {key: $key}) RETURN f.state AS state, f.untold_at AS untold_at, "
        "COUNT { (f)-[:STARTED]->() } AS runs",
        {"key": key},
    )
    return row


@pytest.fixture
def once_found(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Functions that a daemon calls once it has found held firings, and has decided on none yet."""
    return calling_after(monkeypatch, held.firings, "due_held")


def test_a_firing_that_another_daemon_starts_meanwhile_does_not_expire(
    graph: Graph, key: str, once_found: list[Callable[[], object]]
) -> None:
    once_found.append(lambda: release_held(graph, now=after(59)))
    assert release_held(graph, now=after(62)) == []
    assert firing(graph, key) == {"state": "PENDING", "untold_at": None, "runs": 1}


def test_a_firing_that_expires_meanwhile_is_not_started(
    graph: Graph, key: str, once_found: list[Callable[[], object]]
) -> None:
    once_found.append(lambda: release_held(graph, now=after(62)))
    assert release_held(graph, now=after(59)) == []
    found = firing(graph, key)
    assert (found["state"], found["runs"]) == ("EXPIRED", 0)


def test_a_firing_that_two_people_redrive_at_once_starts_one_run(graph: Graph, key: str) -> None:
    assert release_held(graph, now=after(62)) == []
    second = overlap(
        graph,
        lambda tx: redrive(tx, [key], now=after(70)),
        lambda tx: redrive(tx, [key], now=after(70)),
    )
    assert second == []
    found = firing(graph, key)
    assert (found["state"], found["runs"]) == ("PENDING", 1)


def test_a_firing_that_is_started_while_its_trigger_is_deleted_is_not_given_up(
    graph: Graph, key: str
) -> None:
    starts = job_key(None, "default", "job")
    overlap(
        graph,
        lambda tx: held._release(tx, most=1, now=after(50)),
        lambda tx: delete_trigger(tx, starts=starts, name="job", now=after(50)),
    )
    assert firing(graph, key)["state"] == "PENDING"
    assert firing_states(graph)["job"] == ["STARTED", "STARTED"]
