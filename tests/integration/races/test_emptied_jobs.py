"""Jobs of which nothing is left, and that are reported at that moment."""

from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph.admin.mutes import mute_job
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.emptied import delete_spared
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import JobName, job_key, name_job
from lineagegraph.reactions.commit import commit
from lineagegraph.store.admin.mutes import list_mutes
from lineagegraph.store.jobs import jobs
from tests.events import run_event
from tests.integration.races.overlap import overlap

NAME = name_job("default", "stub")
STUB = NAME.key


@pytest.fixture
def stub(graph: Graph) -> None:
    """A job that nothing is known of, in a graph that has reported a run before."""
    graph.write(commit, extract([run_event("another", "START")]))
    graph.write(jobs.merge_jobs, rows=[jobs.job_row(NAME, None)])


def report(tx: Transaction) -> None:
    commit(tx, extract([run_event("stub", "START")]))


def forget(tx: Transaction) -> None:
    jobs.delete_empty(tx, keys=[STUB])


def mute(graph: Graph) -> None:
    mute_job(graph, STUB, "known", datetime.now(UTC) + timedelta(hours=1))


def end_mutes(graph: Graph) -> None:
    """Let the time of all mutes come."""
    graph.query("MATCH (m:Mute) SET m.expires_at = datetime.realtime()", write=True)


def count_runs(graph: Graph) -> list[dict[str, object]]:
    return graph.query(
        "MATCH (:Run {name: 'stub'})<-[:HAS_RUN]-(j:Job) RETURN j.key AS job, count(*) AS runs"
    )


@pytest.mark.usefixtures("stub")
def test_a_job_that_is_reported_while_it_is_deleted_stays_with_its_run(graph: Graph) -> None:
    overlap(graph, report, forget)
    assert count_runs(graph) == [{"job": STUB, "runs": 1}]


@pytest.mark.usefixtures("stub")
def test_a_job_of_which_nothing_is_left_stays_while_it_is_muted(graph: Graph) -> None:
    mute(graph)
    graph.write(forget)
    graph.write(delete_spared)
    assert len(graph.read(list_mutes, now=None)) == 1
    end_mutes(graph)
    graph.write(delete_spared)
    left = "MATCH (n:Job|Mute) WHERE n:Mute OR n.key = $key RETURN n"
    assert graph.query(left, {"key": STUB}) == []


@pytest.mark.usefixtures("stub")
def test_a_job_that_was_left_empty_while_a_run_waited_for_it_goes_after_the_wait(
    graph: Graph,
) -> None:
    wait = "MATCH (j:Job {key: $key}), (r:Run {name: 'another'}) MERGE (r)-[w:WAITS_ON]->(j) "
    for outcome, left in (("FRESH", 1), (None, 0)):
        text = f"{wait} SET w.outcome = $outcome"
        graph.query(text, {"key": STUB, "outcome": outcome}, write=True)
        if left:
            graph.write(forget)
        graph.write(delete_spared)
        assert len(graph.query("MATCH (j:Job {key: $key}) RETURN j", {"key": STUB})) == left


@pytest.mark.usefixtures("stub")
def test_a_job_that_is_reported_again_while_it_is_muted_stays_after_the_mute(graph: Graph) -> None:
    mute(graph)
    graph.write(forget)
    graph.write(report)
    end_mutes(graph)
    for _ in range(2):
        graph.write(delete_spared)
    assert count_runs(graph) == [{"job": STUB, "runs": 1}]
    assert graph.read(jobs.due_spared, limit=9) == []


@pytest.mark.usefixtures("stub")
def test_a_run_that_is_reported_while_its_job_is_deleted_has_a_job(graph: Graph) -> None:
    overlap(graph, forget, report)
    assert count_runs(graph) == [{"job": STUB, "runs": 1}]


@pytest.mark.usefixtures("stub")
def test_a_job_that_is_reported_while_another_takes_its_place_keeps_its_tags(graph: Graph) -> None:
    other = job_key(None, "default", "another")
    text = "MATCH (j:Job {key: $key}) CREATE (j)-[:TAGGED]->(:Tag {name: 'gold'})"
    graph.query(text, {"key": STUB}, write=True)
    rows = [{"old_key": STUB, "new_key": other}]
    overlap(graph, report, lambda tx: jobs.link_attached(tx, rows=rows))
    tagged = "MATCH (j:Job)-[:TAGGED]->(:Tag {name: 'gold'}) RETURN j.name AS job ORDER BY job"
    assert graph.query(tagged) == [{"job": "another"}, {"job": "stub"}]


def app_of(workflow: str) -> JobName:
    return name_job("default", "app", name_job("default", "task", name_job("default", workflow)))


def aliased(graph: Graph) -> list[dict[str, object]]:
    return graph.query(
        "MATCH (a:Alias)-[:NAMES]->(j:Job) RETURN a.name AS alias, j.fqn AS job ORDER BY alias"
    )


@pytest.mark.parametrize("is_deleted_first", [True, False])
def test_a_job_that_gets_the_earlier_name_of_one_that_is_deleted_has_it(
    graph: Graph, is_deleted_first: bool
) -> None:
    old, new = app_of("hourly"), app_of("daily")
    graph.write(jobs.merge_jobs, rows=[jobs.job_row(old, None)])

    def delete(tx: Transaction) -> None:
        jobs.delete_empty(tx, keys=[old.key])

    def create(tx: Transaction) -> None:
        jobs.merge_jobs(tx, rows=[jobs.job_row(new, None)])

    overlap(graph, *((delete, create) if is_deleted_first else (create, delete)))
    assert aliased(graph) == [
        {"alias": alias, "job": "daily.task.app"} for alias in ("app", "task.app")
    ]
