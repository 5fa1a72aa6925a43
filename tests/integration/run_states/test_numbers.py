"""Every change of state gets a number, once, and nobody who follows the numbers misses one."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from typing import Any

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.numbering import forget_changes, number_changes
from lineagegraph.ingest.record import NO_NEWS, record
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.reactions.commit import commit
from lineagegraph.store.admin.retention import delete_runs
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.state_changes import ChangeRow, list_changes
from tests.events import run_event
from tests.integration.ingest.test_order import record_all
from tests.integration.scheduling.test_triggers import make_trigger

A = OnStatus(job="a", statuses=(RunState.COMPLETED,))


def changes(graph: Graph, after: int = 0) -> list[ChangeRow]:
    newest = number_changes(graph).newest
    return graph.read(list_changes, after=after, until=newest)


def states(graph: Graph) -> list[str]:
    return [change.state.value for change in changes(graph)]


def life(*kinds: str, job: str = "a") -> list[dict[str, Any]]:
    run_id = new_id()
    return [run_event(job, kind, run_id=run_id) for kind in kinds]


def test_each_state_of_a_run_is_told_once(graph: Graph) -> None:
    for event in life("OTHER", "START", "RUNNING", "COMPLETE", "COMPLETE"):
        record_all(graph, [[event], [event]])
    assert states(graph) == ["PENDING", "RUNNING", "COMPLETED"]


def test_a_start_and_an_end_in_one_transaction_are_two_changes(graph: Graph) -> None:
    record_all(graph, [life("START", "FAIL")])
    assert states(graph) == ["RUNNING", "FAILED"]


def test_an_end_without_a_start_and_a_start_after_the_end_are_one_change(graph: Graph) -> None:
    start, end = life("START", "ABORT")
    record_all(graph, [[end], [start]])
    assert states(graph) == ["KILLED"]


def test_a_parent_that_was_only_heard_of_has_no_state_to_tell(graph: Graph) -> None:
    record_all(graph, [[run_event("dag.task", parent=(new_id(), "dag"))]])
    assert [change.name for change in changes(graph)] == ["dag.task"]


def test_what_is_recorded_as_no_news_is_not_told(graph: Graph) -> None:
    graph.write(record, extract(life("START")), NO_NEWS)
    assert states(graph) == []


def test_a_run_that_waits_for_a_worker_is_told_of_whoever_queued_it(graph: Graph) -> None:
    make_trigger(graph, A)
    (firing,) = graph.write(commit, extract(life("COMPLETE")))
    key = job_key(None, "default", "report")
    asked = {"run_id": new_id(), "job_key": key, "params": '{"day":1}', "only": [], "now": None}
    for _ in range(2):
        graph.write(launches.merge_queued, **asked)
    record_all(graph, [[run_event("report", "OTHER", run_id=firing.run_id)]])
    record_all(graph, [[run_event("report", "START", run_id=firing.run_id)]])
    told = [(c.name, c.state.value, c.firing is not None, c.params) for c in changes(graph)]
    assert told == [
        ("a", "COMPLETED", False, None),
        ("report", "PENDING", True, None),
        ("report", "PENDING", False, '{"day":1}'),
        ("report", "RUNNING", True, None),
    ]


def test_a_corrected_state_is_told_too(graph: Graph) -> None:
    complete, fail = life("COMPLETE", "FAIL")
    record_all(graph, [[complete], [fail]])
    assert states(graph) == ["COMPLETED", "FAILED"]


def test_a_follower_among_writers_sees_each_change_once_in_the_order_of_the_numbers(
    graph: Graph,
) -> None:
    over, seen = Event(), list[ChangeRow]()

    def follow() -> None:
        is_last = False
        while not is_last:
            is_last = over.is_set()
            after = seen[-1].number if seen else 0
            newest = number_changes(graph, after).newest
            seen.extend(graph.read(list_changes, after=after, until=newest))

    def write(writer: int) -> list[str]:
        lives = [life("START", "COMPLETE", job=f"job{writer}") for _ in range(12)]
        for start, end in lives:
            record_all(graph, [[start], [end]])
        return [start["run"]["runId"] for start, _ in lives]

    with ThreadPoolExecutor(6) as pool:
        followers = [pool.submit(follow), pool.submit(number_changes, graph)]
        told = [run_id for ids in pool.map(write, range(4)) for run_id in ids]
        over.set()
        for follower in followers:
            follower.result()
    assert [change.number for change in seen] == list(range(1, 97))
    assert sorted((c.run_id, c.state.value) for c in seen) == sorted(
        (run_id, state) for run_id in told for state in ("RUNNING", "COMPLETED")
    )
    order = {(c.run_id, c.state.value): c.number for c in seen}
    assert all(order[run_id, "RUNNING"] < order[run_id, "COMPLETED"] for run_id in told)
    assert [c.number for c in changes(graph, after=90)] == list(range(91, 97))


def test_old_changes_are_forgotten_and_numbers_go_on(graph: Graph) -> None:
    record_all(graph, [life("START", "COMPLETE")])
    assert number_changes(graph).newest == 2
    assert forget_changes(graph, timedelta(days=7)) == 0
    assert forget_changes(graph, timedelta(0)) == 2
    record_all(graph, [life("START")])
    bounds = number_changes(graph)
    assert (bounds.newest, bounds.forgotten) == (3, 2)
    assert [change.number for change in changes(graph)] == [3]


def test_the_changes_of_a_run_go_with_it(graph: Graph) -> None:
    record_all(graph, [life("START", "COMPLETE"), life("START")])
    assert len(states(graph)) == 3
    graph.write(delete_runs, ids=[changes(graph)[0].run_id])
    assert states(graph) == ["RUNNING"]
