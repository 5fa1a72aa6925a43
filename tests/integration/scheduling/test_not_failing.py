"""`limit.not_failing`: a job has not failed since its last success, by state, not by occurrence."""

from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph.admin.hide import hide_job
from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.triggers.constraint import NotFailing, Otherwise
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.store.triggers.catalog import list_affected
from lineagegraph.triggers.held import release_held
from tests.integration.scheduling.rules import GO, end, firing_states, say, write_rules

START = datetime(2026, 3, 1, tzinfo=UTC)


def at(minutes: int) -> datetime:
    return START + timedelta(minutes=minutes)


def ask(graph: Graph, otherwise: Otherwise = Otherwise.ABORT) -> None:
    only = NotFailing(job="load", otherwise=otherwise)
    graph.write(write_rules, {"report": Trigger(when=GO, constraints=(only,))}, at(10))


def states(graph: Graph) -> list[str]:
    return firing_states(graph)["report"]


@pytest.mark.parametrize(
    ("ends", "starts"),
    [
        ("", True),
        ("C", True),
        ("F", False),
        ("FC", True),
        ("CF", False),
        ("FCFA", False),
        ("AFCC", True),
    ],
)
def test_the_state_at_the_start_counts_also_that_from_before_the_trigger(
    graph: Graph, ends: str, starts: bool
) -> None:
    kinds = {"C": "COMPLETE", "F": "FAIL", "A": "ABORT"}
    for minute, kind in enumerate(ends):
        end(graph, "load", kinds[kind], at=at(minute))
    ask(graph)
    graph.write(say, "go", at(20))
    assert states(graph) == ["STARTED" if starts else "ABORTED"]


def test_a_later_success_lets_the_next_firing_start_and_a_held_one(graph: Graph) -> None:
    ask(graph, Otherwise.WAIT)
    end(graph, "load", "FAIL", at=at(11))
    graph.write(say, "go", at(12))
    assert release_held(graph, now=at(13)) == []
    assert states(graph) == ["HELD"]
    (row,) = graph.query("MATCH (f:Firing) RETURN f.kept_back AS why")
    assert row["why"].startswith("load has failed since its last success, at 2026-03-01T00:11")
    end(graph, "load", at=at(14))
    assert len(release_held(graph, now=at(15))) == 1
    graph.write(say, "go", at(16))
    assert states(graph) == ["STARTED", "STARTED"]


def test_the_order_in_which_ends_are_reported_does_not_count(graph: Graph) -> None:
    ask(graph)
    end(graph, "load", at=at(12))
    end(graph, "load", "FAIL", at=at(11), now=at(13))
    graph.write(say, "go", at(14))
    assert states(graph) == ["STARTED"]


def test_a_deleted_job_bars_nothing_until_it_is_heard_of_again(graph: Graph) -> None:
    end(graph, "load", "FAIL", at=at(9))
    ask(graph)
    key = job_key(None, "default", "load")
    (affected,) = graph.read(list_affected, key=key)
    assert (affected.name, affected.role) == ("report", "is limited by it")
    graph.write(hide_job, key)
    graph.write(say, "go", at(12))
    end(graph, "load", "FAIL", at=at(13))
    graph.write(say, "go", at(14))
    assert states(graph) == ["STARTED", "ABORTED"]
