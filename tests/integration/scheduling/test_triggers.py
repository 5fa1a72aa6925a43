"""What fires, what does not, and that it does so once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import AnyCondition, OnCron, OnDataset, OnStatus
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.reactions.commit import commit
from lineagegraph.store.jobs import jobs
from lineagegraph.store.runs import launches
from lineagegraph.triggers.react import react, react_to_missed, react_to_times
from lineagegraph.triggers.write import delete_trigger, enable_trigger, write_trigger
from tests.events import run_event

TARGET = "report"
A = OnStatus(job="a", statuses=(RunState.COMPLETED,))
B = OnStatus(job="b", statuses=(RunState.COMPLETED,))
FAILED_A = OnStatus(job="a", statuses=(RunState.FAILED,))
GOLD = OnDataset(namespace="file", name="/gold")


def make_trigger(
    graph: Graph,
    condition: AnyCondition | Trigger,
    starts: str = TARGET,
    now: datetime | None = None,
) -> str:
    key = job_key(None, "default", starts)
    row = {"key": key, "namespace": "default", "name": starts, "simple_name": starts}
    graph.write(jobs.merge_jobs, rows=[row | {"fqn": starts, "parent_key": None}])
    rule = condition if isinstance(condition, Trigger) else Trigger(when=condition)
    return graph.write(write_trigger, rule, name=starts, namespace="default", starts=key, now=now)


def send(graph: Graph, *events: dict[str, Any]) -> list[str]:
    return [f.reason for f in graph.write(commit, extract(events))]


def firings(graph: Graph) -> int:
    (row,) = graph.query(
        "MATCH (f:Firing) OPTIONAL MATCH (f)-[:STARTED]->(r:Run {launch: 'QUEUED'}) "
        "RETURN count(DISTINCT f) AS firings, count(DISTINCT r) AS runs"
    )
    assert row["firings"] == row["runs"]
    return int(row["firings"])


def test_a_completion_fires_in_the_transaction_that_records_it(graph: Graph) -> None:
    make_trigger(graph, A)
    assert len(send(graph, run_event("a"))) == 1
    assert firings(graph) == 1


def test_the_same_event_again_fires_nothing_more(graph: Graph) -> None:
    make_trigger(graph, A)
    event = run_event("a")
    send(graph, event)
    assert send(graph, event) == []
    assert react_to_missed(graph) == []
    assert firings(graph) == 1


@pytest.mark.parametrize("event_type", ["START", "RUNNING", "ABORT", "FAIL"])
def test_other_states_than_the_one_watched_fire_nothing(graph: Graph, event_type: str) -> None:
    make_trigger(graph, A)
    assert send(graph, run_event("a", event_type)) == []


def test_a_failure_fires_what_watches_for_failures(graph: Graph) -> None:
    make_trigger(graph, FAILED_A)
    assert send(graph, run_event("a")) == []
    assert len(send(graph, run_event("a", "FAIL"))) == 1


def test_an_and_waits_for_both_and_consumes_both(graph: Graph) -> None:
    make_trigger(graph, A & GOLD)
    assert send(graph, run_event("a")) == []
    (reason,) = send(graph, run_event("writer", outputs=(("file", "/gold"),)))
    assert "a COMPLETED" in reason
    assert "file:/gold written" in reason
    assert send(graph, run_event("a")) == []


def test_an_or_fires_for_each(graph: Graph) -> None:
    make_trigger(graph, A | B)
    assert len(send(graph, run_event("a"))) == 1
    assert len(send(graph, run_event("b"))) == 1


def test_a_nested_tree_is_evaluated_from_the_leaves(graph: Graph) -> None:
    make_trigger(graph, (A | B) & GOLD)
    assert send(graph, run_event("b")) == []
    assert len(send(graph, run_event("w", outputs=(("file", "/gold"),)))) == 1


def test_a_dataset_that_a_failed_run_wrote_fires_nothing(graph: Graph) -> None:
    make_trigger(graph, GOLD)
    assert send(graph, run_event("w", "FAIL", outputs=(("file", "/gold"),))) == []


def test_old_history_fires_nothing(graph: Graph) -> None:
    make_trigger(graph, A, now=datetime.now(UTC) - timedelta(days=1))
    assert send(graph, run_event("a", at=datetime.now(UTC) - timedelta(hours=2))) == []


def test_what_happened_before_the_rule_was_made_fires_nothing(graph: Graph) -> None:
    send(graph, run_event("a"))
    make_trigger(graph, A)
    assert react_to_missed(graph) == []


def test_a_suspended_trigger_fires_nothing_then_or_later(graph: Graph) -> None:
    id_ = make_trigger(graph, A)
    graph.write(enable_trigger, trigger_id=id_, enabled=False)
    assert send(graph, run_event("a")) == []
    graph.write(enable_trigger, trigger_id=id_, enabled=True)
    assert react_to_missed(graph) == []
    assert len(send(graph, run_event("a"))) == 1


def test_a_completion_that_nobody_evaluated_is_found_by_the_tick_once(graph: Graph) -> None:
    from lineagegraph.ingest.record import record

    make_trigger(graph, A)
    graph.write(record, extract([run_event("a")]))
    assert len(react_to_missed(graph)) == 1
    assert react_to_missed(graph) == []


def test_a_corrected_state_fires_for_the_new_status_and_revokes_nothing(graph: Graph) -> None:
    make_trigger(graph, A)
    run, at = run_event("a")["run"]["runId"], datetime.now(UTC)
    send(graph, run_event("a", "FAIL", run_id=run, at=at))
    assert send(graph, run_event("a", "COMPLETE", run_id=run, at=at + timedelta(seconds=2))) == []
    start = run_event("a", "START", run_id=run, at=at + timedelta(seconds=1))
    assert len(send(graph, start)) == 1


def test_writing_the_same_rule_again_keeps_what_occurred(graph: Graph) -> None:
    make_trigger(graph, A & B)
    send(graph, run_event("a"))
    make_trigger(graph, A & B)
    assert len(send(graph, run_event("b"))) == 1


def test_a_changed_rule_forgets_the_conditions_that_it_no_longer_has(graph: Graph) -> None:
    make_trigger(graph, A & B)
    make_trigger(graph, B)
    assert graph.query("MATCH (c:Condition) RETURN count(c) AS n") == [{"n": 1}]
    assert len(send(graph, run_event("b"))) == 1


def test_a_deleted_rule_fires_nothing_and_its_firings_stay(graph: Graph) -> None:
    make_trigger(graph, A)
    send(graph, run_event("a"))
    graph.write(delete_trigger, starts=job_key(None, "default", TARGET), name=TARGET)
    assert send(graph, run_event("a")) == []
    assert firings(graph) == 1


def test_a_cron_fires_once_for_all_the_times_that_were_missed(graph: Graph) -> None:
    made = datetime(2026, 3, 1, 12, 0, 30, tzinfo=UTC)
    make_trigger(graph, OnCron(cron="* * * * *", zone="UTC"), now=made)
    assert graph.write(react_to_times, now=made + timedelta(seconds=20)) == []
    late = made + timedelta(minutes=90)
    (firing,) = graph.write(react_to_times, now=late)
    assert "2026-03-01 13:30:00" in firing.reason
    assert graph.write(react_to_times, now=late) == []


def test_eight_processes_fire_two_hundred_triggers_once_each(graph: Graph) -> None:
    for number in range(200):
        make_trigger(graph, A, starts=f"target_{number}")
    from lineagegraph.ingest.record import record

    event = run_event("a")
    graph.write(record, extract([event]))
    run_id = event["run"]["runId"]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: graph.write(react, [run_id]), range(8)))
    assert firings(graph) == 200


def test_a_queued_run_is_claimed_by_one_process(graph: Graph) -> None:
    make_trigger(graph, A)
    (firing,) = graph.write(commit, extract([run_event("a")]))

    def claim(number: int) -> bool:
        lease = timedelta(seconds=20)
        taken = graph.write(
            launches.claim_run,
            id=firing.run_id,
            owner=str(number),
            lease=lease,
            claim=None,
            now=None,
        )
        return taken is not None

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(claim, range(8))) == 1


def watch(graph: Graph, job: str) -> None:
    make_trigger(graph, OnStatus(job=job, statuses=(RunState.COMPLETED,)))


def test_a_trigger_follows_the_job_that_it_watches_when_that_comes_under_a_parent(
    graph: Graph,
) -> None:
    app, dag = new_id(), new_id()
    send(graph, run_event("app.write", parent=(app, "app")))
    watch(graph, "app.write")
    send(graph, run_event("app", run_id=app, parent=(dag, "dag")))
    assert graph.query("MATCH (:Condition)-[:WATCHES]->(j) RETURN j.fqn AS fqn") == [
        {"fqn": "dag.app.write"}
    ]
    assert len(send(graph, run_event("app.write", parent=(app, "app")))) == 1


def test_a_trigger_on_a_job_of_two_workflows_watches_both(graph: Graph) -> None:
    apps = [new_id(), new_id()]
    for app in apps:
        send(graph, run_event("app", run_id=app))
    watch(graph, "app")
    for app, dag in zip(apps, ("hourly", "daily"), strict=True):
        send(graph, run_event("app", run_id=app, parent=(new_id(), dag)))
    found = graph.query("MATCH (:Condition)-[:WATCHES]->(j) RETURN j.fqn AS fqn ORDER BY fqn")
    assert found == [{"fqn": "daily.app"}, {"fqn": "hourly.app"}]


def test_a_trigger_on_a_task_that_has_not_run_yet_watches_the_task_that_comes(
    graph: Graph,
) -> None:
    watch(graph, "dag.task")
    assert len(send(graph, run_event("dag.task", parent=(new_id(), "dag")))) == 1
