"""The skip list: what is active, what a run found of it, and what moves."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lineagegraph.admin.skips import add_skip, find_skip, list_skips, remove_skip, remove_skips
from lineagegraph.errors import Ambiguous, InvalidSkip, NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.pipelines.definition import CommandTask, GroupTask, Pipeline, Task
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.find.find import find_job
from lineagegraph.store.admin.skips import SkippedJob, claim_snapshot
from lineagegraph.store.runs.launches import merge_queued
from tests.definitions import define
from tests.events import run_event
from tests.project import Project

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
NOTHING = CommandTask(command=("true",))


def batch(graph: Graph, name: str, *tasks: str) -> None:
    """Define a pipeline with these tasks, and one more below a group."""
    inner = GroupTask(tasks=(Task(name="deep", work=NOTHING),))
    each = tuple(Task(name=task, work=NOTHING) for task in tasks)
    define(
        graph,
        Pipeline(name=name, namespace="default", tasks=(*each, Task(name="inner", work=inner))),
    )


def key(graph: Graph, job: str) -> str:
    return find_job(graph, job).key


def queue(graph: Graph, job: str) -> str:
    """Queue a run of a pipeline."""
    run_id = new_id()
    said = {"job_key": key(graph, job), "params": None, "only": [], "now": None}
    graph.write(merge_queued, run_id=run_id, **said)
    return run_id


def snapshot(graph: Graph, run_id: str, now: datetime = NOON) -> dict[str, SkippedJob]:
    """What a run skips, by the full names of the jobs."""
    found = graph.write(claim_snapshot, run_id=run_id, now=now)
    names = graph.query("MATCH (j:Job) RETURN j.key AS key, j.fqn AS fqn")
    fqns = {row["key"]: row["fqn"] for row in names}
    return {fqns[one.job_key]: one for one in found}


def test_a_run_finds_the_tasks_that_are_skipped_and_those_of_others_that_it_needs(
    graph: Graph,
) -> None:
    batch(graph, "kpi", "rides", "drivers")
    batch(graph, "finance", "fx", "tax")
    for job in ("kpi.rides", "finance.fx", "finance.tax"):
        add_skip(graph, key(graph, job), f"{job} is broken", author="ops", now=NOON)
    graph.query(
        "MATCH (k:Job {fqn: 'kpi.drivers'}), (f:Job {fqn: 'finance.fx'}) "
        "CREATE (k)-[:DEPENDS_ON]->(f)",
        write=True,
    )
    found = snapshot(graph, queue(graph, "kpi"))
    assert found.keys() == {"kpi.rides", "finance.fx"}
    rides = found["kpi.rides"]
    assert (rides.reason, rides.author, rides.expires_at) == ("kpi.rides is broken", "ops", None)


def test_a_batch_that_is_skipped_stands_for_all_its_tasks_and_the_nearest_word_counts(
    graph: Graph,
) -> None:
    batch(graph, "kpi", "rides")
    add_skip(graph, key(graph, "kpi"), "all of it", now=NOON)
    add_skip(graph, key(graph, "kpi.inner"), "this part", now=NOON)
    found = snapshot(graph, queue(graph, "kpi"))
    assert {job: one.reason for job, one in found.items()} == {
        "kpi": "all of it",
        "kpi.rides": "all of it",
        "kpi.inner": "this part",
        "kpi.inner.deep": "this part",
    }


def test_a_run_keeps_what_it_found_when_it_began(graph: Graph) -> None:
    batch(graph, "kpi", "rides", "drivers")
    rides = add_skip(graph, key(graph, "kpi.rides"), "broken", lasting=HOUR, now=NOON)
    run_id, other = queue(graph, "kpi"), queue(graph, "kpi")
    first = snapshot(graph, run_id)
    assert first["kpi.rides"].expires_at == NOON + HOUR
    remove_skip(graph, rides.id, by="me", now=NOON + HOUR / 2)
    add_skip(graph, key(graph, "kpi.drivers"), "broken too", now=NOON)
    assert snapshot(graph, run_id, NOON + 2 * HOUR) == first
    assert snapshot(graph, other, NOON + 2 * HOUR).keys() == {"kpi.drivers"}


def test_a_run_that_found_nothing_finds_nothing_later(graph: Graph) -> None:
    batch(graph, "kpi", "rides")
    run_id = queue(graph, "kpi")
    assert snapshot(graph, run_id) == {}
    add_skip(graph, key(graph, "kpi"), "too late", now=NOON)
    assert snapshot(graph, run_id) == {}


def test_a_skip_ends_by_the_databases_clock(graph: Graph) -> None:
    batch(graph, "kpi", "rides")
    add_skip(graph, key(graph, "kpi.rides"), "broken", until=NOON + HOUR, now=NOON)
    assert [one.state for one in list_skips(graph, now=NOON)] == ["IN_FORCE"]
    later = NOON + HOUR
    assert list_skips(graph, now=later) == []
    assert [one.state for one in list_skips(graph, ended=True, now=later)] == ["EXPIRED"]
    assert snapshot(graph, queue(graph, "kpi"), later) == {}


def test_adding_a_job_again_replaces_its_entry_and_the_history_stays(graph: Graph) -> None:
    batch(graph, "kpi", "rides")
    rides = key(graph, "kpi.rides")
    first = add_skip(graph, rides, "broken", author="ann", now=NOON)
    second = add_skip(graph, rides, "still broken", author="bob", now=NOON + HOUR)
    again = add_skip(graph, rides, "no", skip_id=second.id, now=NOON + HOUR)
    assert (again, list_skips(graph, now=NOON + HOUR)) == (second, [second])
    old = find_skip(graph, first.id)
    assert (old.state, old.removed_at, old.removed_by) == ("REMOVED", NOON + HOUR, "bob")
    assert remove_skips(graph, rides, "kpi.rides", by="ann", now=NOON + HOUR) == [second.id]
    assert [one.reason for one in list_skips(graph, ended=True)] == ["still broken", "broken"]


def test_what_cannot_be_is_refused_in_one_line(graph: Graph) -> None:
    batch(graph, "kpi", "rides")
    kpi, rides = key(graph, "kpi"), key(graph, "kpi.rides")
    refused: list[dict[str, object]] = [
        {"reason": " \n"},
        {"reason": "x" * 2_001},
        {"reason": "broken", "lasting": -HOUR},
        {"reason": "broken", "lasting": timedelta(0)},
        {"reason": "broken", "lasting": timedelta(weeks=99_999_999)},
        {"reason": "broken", "until": NOON},
        {"reason": "broken", "lasting": HOUR, "until": NOON + HOUR},
    ]
    for said in refused:
        with pytest.raises(InvalidSkip, match=r"^[^\n]+$"):
            add_skip(graph, rides, **said, now=NOON)  # type: ignore[arg-type]
    with pytest.raises(NotFound, match="is not skipped"):
        remove_skips(graph, rides, "kpi.rides")
    whole = add_skip(graph, kpi, "broken")
    with pytest.raises(NotFound, match="is skipped as a part of kpi: remove"):
        remove_skips(graph, rides, "kpi.rides")
    remove_skip(graph, whole.id[:20])
    with pytest.raises(NotFound, match="it is REMOVED"):
        remove_skip(graph, whole.id)
    add_skip(graph, rides, "broken")
    with pytest.raises(Ambiguous):
        find_skip(graph, "0")


def test_an_entry_goes_with_a_job_that_gets_another_parent(graph: Graph) -> None:
    parent, load = new_id(), run_event("load", "START")
    graph.write(record, extract([load]))
    add_skip(graph, key(graph, "load"), "broken")
    end = run_event("load", run_id=load["run"]["runId"], parent=(parent, "etl"))
    graph.write(record, extract([end, run_event("etl", "START", run_id=parent)]))
    assert [one.job for one in list_skips(graph)] == ["etl.load"]


def test_a_skip_keeps_a_job_that_has_nothing_else(graph: Graph) -> None:
    parent, child = new_id(), new_id()
    graph.write(record, extract([run_event("load", run_id=child, parent=(parent, "etl"))]))
    add_skip(graph, key(graph, "etl"), "broken")
    grand = new_id()
    named = run_event("etl", "START", run_id=parent, parent=(grand, "nightly"))
    graph.write(record, extract([named]))
    assert [one.job for one in list_skips(graph)] == ["nightly.etl"]


def test_tasks_of_a_plain_pipeline_are_skipped_with_what_needs_them(
    graph: Graph, tmp_path: Path
) -> None:
    project = Project(tmp_path / "shop", graph, tmp_path / "home")
    project.state("""
        load = lg.command("load", ["false"])
        lg.pipeline(
            "daily",
            tasks=[
                load,
                lg.command("next", ["true"], after=load),
                lg.command("always", ["true"], after=load, when="all_done"),
            ],
        )
    """)
    add_skip(graph, key(graph, "daily.load"), "broken", author="ann")
    run_id = project.run("daily")
    rows = graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run) "
        "RETURN r.name AS name, r.state AS state, r.reason AS reason, r.message AS message",
        {"id": run_id},
    )
    assert {row["name"]: (row["state"], row["reason"]) for row in rows} == {
        "daily.load": ("SKIPPED", "SKIP_LIST"),
        "daily.next": ("SKIPPED", "UPSTREAM_SKIPPED"),
        "daily.always": ("COMPLETED", None),
    }
    assert "on the skip list by ann: broken" in {row["message"] for row in rows}
