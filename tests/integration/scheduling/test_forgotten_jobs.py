"""Triggers that name a job when it is deleted."""

from datetime import UTC, datetime, timedelta

from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.queries.triggers.triggers import find_trigger
from lineagegraph.triggers.forget_job import RuleChange, forget_job
from lineagegraph.triggers.write import enable_trigger, write_trigger
from tests.integration.scheduling.rules import end, write_rules

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
A, B = (OnStatus(job=name, statuses=(RunState.COMPLETED,)) for name in "ab")


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def key_of(job: str) -> str:
    return job_key(None, "default", job)


def state(graph: Graph, job: str) -> str:
    """Write a rule that a definition states, and return its id."""
    graph.write(write_rules, {job: Trigger(when=B)}, NOON)
    place = {"starts": key_of(job), "name": job, "namespace": "default"}
    return graph.write(write_trigger, Trigger(when=A & B), origin="definition", now=NOON, **place)


def test_a_deleted_job_suspends_stated_rules_and_lists_all_that_it_touches(graph: Graph) -> None:
    state(graph, "stated")
    graph.write(write_rules, {"either": Trigger(when=A | B), "both": Trigger(when=A & B)}, NOON)
    end(graph, "a", at=after(1))
    touched = graph.write(forget_job, key_of("a"), now=after(2))
    assert {one.name: one.change for one in touched} == {
        "both": RuleChange.DELETED,
        "either": RuleChange.REWRITTEN,
        "stated": RuleChange.SUSPENDED,
    }
    assert find_trigger(graph, "stated").suspended_because == "job a was deleted"


def test_a_suspended_rule_keeps_what_is_half_met_until_it_is_enabled(graph: Graph) -> None:
    id_ = state(graph, "stated")
    end(graph, "a", at=after(1))
    graph.write(forget_job, key_of("a"), now=after(2))
    assert end(graph, "b", at=after(3)) == []
    graph.write(enable_trigger, trigger_id=id_, enabled=True, now=after(4))
    assert len(end(graph, "b", at=after(5))) == 1
    assert find_trigger(graph, "stated").suspended_because is None


def test_a_deleted_job_suspends_the_stated_rule_that_starts_it(graph: Graph) -> None:
    state(graph, "stated")
    (touched,) = graph.write(forget_job, key_of("stated"), now=after(2))
    assert (touched.starts, touched.change) == ("stated", RuleChange.SUSPENDED)
    assert end(graph, "a", at=after(3)) + end(graph, "b", at=after(4)) == []
