"""Triggers that name a job when it is deleted."""

from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph import on
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnSensor, OnStatus
from lineagegraph.model.triggers.constraint import Delay
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.queries.triggers.triggers import find_trigger
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.reactions.commit import commit
from lineagegraph.triggers.forget_job import RuleChange, forget_job
from lineagegraph.triggers.write import delete_trigger, enable_trigger, write_trigger
from tests.events import run_event
from tests.integration.scheduling.rules import end, write_rules
from tests.project import Project

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


def test_a_job_is_deleted_though_what_is_left_of_a_rule_is_in_a_circle(graph: Graph) -> None:
    graph.write(write_rules, {"report": Trigger(when=A | B)}, NOON)
    back = Trigger(when=on.success("report"), allow_cycle=True)
    graph.write(write_rules, {"b": back}, NOON)
    (touched,) = graph.write(forget_job, key_of("a"), now=after(2))
    assert (touched.name, touched.change) == ("report", RuleChange.REWRITTEN)
    assert find_trigger(graph, "report").text == "b COMPLETED"


def test_a_job_is_deleted_though_what_is_left_of_a_rule_would_not_be_taken(graph: Graph) -> None:
    rule = Trigger(when=A | on.cron("0 6 * * *"), constraints=(Delay(seconds=60.0),))
    graph.write(write_rules, {"report": rule}, NOON)
    (touched,) = graph.write(forget_job, key_of("a"), now=after(2))
    assert touched.change is RuleChange.REWRITTEN
    assert "a COMPLETED" not in (find_trigger(graph, "report").text or "")


def watched(graph: Graph) -> list[dict[str, object]]:
    found = "MATCH (c:Condition)-[:WATCHES]->(s:Sensor) RETURN c.id AS id, s.id AS sensor"
    return graph.query(f"{found}, s.poke_interval AS interval")


def test_a_job_is_deleted_though_the_settings_refuse_a_sensor_that_is_left(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    landed = OnSensor(kind="file", fields={"path": "/lake/a"})
    graph.write(write_rules, {"report": Trigger(when=A | landed)}, NOON)
    before = watched(graph)
    monkeypatch.setenv("LINEAGEGRAPH_SENSOR_ROOTS", '["/other"]')
    (touched,) = graph.write(forget_job, key_of("a"), now=after(2))
    assert touched.change is RuleChange.REWRITTEN
    assert len(before) == 1
    assert watched(graph) == before


def test_a_deleted_job_suspends_the_stated_rule_that_starts_it(graph: Graph) -> None:
    state(graph, "stated")
    (touched,) = graph.write(forget_job, key_of("stated"), now=after(2))
    assert (touched.starts, touched.change) == ("stated", RuleChange.SUSPENDED)
    assert end(graph, "a", at=after(3)) + end(graph, "b", at=after(4)) == []


WATCHING = """
from lineagegraph import on
WORK = [lg.command("work", ["true"])]
lg.pipeline("load", tasks=WORK)
lg.pipeline("report", tasks=WORK, trigger=on.success("load") | on.success("laod.work"))
"""


def missing(graph: Graph) -> list[str | None]:
    (cell,) = read_why(graph, "report").cells
    return [one.missing for one in cell.condition.operands]


def test_a_sync_names_what_waits_in_vain_also_if_the_file_was_read_before(project: Project) -> None:
    project.state(WATCHING)
    for _ in range(2):
        found = {one.pipeline: one for one in project.sync().pipelines}
        assert found["report"].unknown == ("laod.work",)
        assert found["report"].suspended == {}
    project.graph.write(forget_job, key_of("load"))
    for _ in range(2):
        found = {one.pipeline: one for one in project.sync().pipelines}
        assert found["report"].suspended == {"report": "job load was deleted"}


def test_a_trigger_tells_why_if_the_job_that_it_waits_for_is_unknown_or_not_stated_any_more(
    project: Project,
) -> None:
    project.state(WATCHING)
    unknown = "nothing has happened yet, and no job of this name is known: check its name"
    assert missing(project.graph) == ["nothing has happened yet", unknown]
    project.state(WATCHING.replace('"load"', '"loads"', 1).replace("laod.work", "load.work"))
    withdrawn = "nothing has happened yet, and no definition file states it any more"
    assert missing(project.graph) == [withdrawn, withdrawn]


WRITTEN = (("file", "/lake/a"),)


def test_a_dataset_that_only_a_trigger_named_is_gone_with_that(project: Project) -> None:
    flow = 'from lineagegraph import on\nlg.pipeline("a", tasks=[lg.command("w", ["true"])]'
    for name in ("/lake/a", "/lake/b", "/lake/c"):
        project.state(f'{flow}, trigger=on.dataset("file", "{name}"))')
        project.graph.write(commit, extract([run_event("writer", "START", outputs=WRITTEN)]))
    project.state(f"{flow})")
    assert project.graph.query("MATCH (d:Dataset) RETURN d.name AS name") == [{"name": "/lake/a"}]


def test_a_job_that_no_trigger_names_any_more_and_nothing_else_knows_is_gone(
    project: Project,
) -> None:
    project.state(WATCHING)
    # One of two triggers that name a job is not the last one.
    project.graph.write(write_rules, {"load": Trigger(when=on.success("later"))}, NOON)
    project.state(WATCHING.replace("laod.work", "later"))
    named = "MATCH (j:Job) WHERE j.stub RETURN j.fqn AS name ORDER BY name"
    assert project.graph.query(named) == [{"name": "later"}]
    project.state(WATCHING.replace(' | on.success("laod.work")', ""))
    assert project.graph.query(named) == [{"name": "later"}]
    project.graph.write(delete_trigger, starts=key_of("load"), name="load")
    assert project.graph.query(named) == []
    project.state(WATCHING)
    (project.folder / "flows.py").unlink()
    project.sync()
    assert project.graph.query(named) == []
