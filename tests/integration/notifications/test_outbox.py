"""What is told: each transition once for each channel, with what brought it."""

from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from lineagegraph.admin.mutes import describe_mute, list_mutes, mute_job, unmute_job
from lineagegraph.errors import InvalidMute, NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.graph.statements import statement
from lineagegraph.ingest.extract import extract
from lineagegraph.model.outbox.routes import Occasion, Route
from lineagegraph.model.runs.ids import new_id
from lineagegraph.outbox.notifications import Transition, notify, notify_given_up
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.jobs.outbox import read_notifications
from lineagegraph.reactions.commit import commit
from lineagegraph.runs.reap import reap_run
from lineagegraph.runs.report import GraphReporter
from lineagegraph.store.runs.launches import LostRun
from lineagegraph.store.triggers import firings
from tests.events import run_event
from tests.launches import claimed, queued

NOW = datetime.now(UTC)
HOUR = timedelta(hours=1)
PROGRESS = (Occasion.WAITING, Occasion.RUNNING, Occasion.COMPLETED)
ALL = tuple(occasion for occasion in Occasion if occasion not in PROGRESS)


def route(to: str = "log:", **rest: Any) -> Route:
    return Route(**{"on": ALL, "to": to} | rest)


def send(graph: Graph, *events: dict[str, Any], routes: tuple[Route, ...]) -> None:
    for event in events:
        graph.write(commit, extract([event]), routes=routes)


def told(graph: Graph) -> list[tuple[str, str, str]]:
    found = [(n.channel, n.type, n.job) for n in read_notifications(graph, 100)]
    return sorted(found)


def failure(job: str = "sales.load", **rest: Any) -> dict[str, Any]:
    event = run_event(job, "FAIL", **rest)
    facet = {"message": "no space left", "programmingLanguage": "PYTHON"}
    event["run"]["facets"]["errorMessage"] = facet
    return event


def test_a_failure_is_told_once_to_each_channel_that_takes_it(graph: Graph) -> None:
    routes = (
        route(name="a", on=("failed",)),
        route(name="b", on=("failed", "expired"), to="http://127.0.0.1/"),
        route(name="b", on=("failed",), jobs=("sales.*",), to="http://127.0.0.1/"),
        route(name="c", on=("killed",)),
        route(name="d", jobs=("hr.*",)),
        route(name="e", namespaces=("prod-*",)),
    )
    event = failure()
    send(graph, event, event, routes=routes)
    assert told(graph) == [
        ("a", "run.failed", "sales.load"),
        ("b", "run.failed", "sales.load"),
    ]
    first, _ = read_notifications(graph)
    assert first.subject == event["run"]["runId"]
    assert (first.state, first.message, first.attempts) == ("PENDING", "no space left", 0)


def test_the_order_and_number_of_events_do_not_count(graph: Graph) -> None:
    for order in permutations(range(3)):
        run = new_id()
        events = [
            run_event("a", "START", run_id=run, at=NOW - timedelta(minutes=2)),
            failure("a", run_id=run, at=NOW - timedelta(minutes=1)),
            failure("a", run_id=run, at=NOW),
        ]
        send(graph, *(events[i] for i in (*order, *order)), routes=(route(),))
        assert [n.subject for n in read_notifications(graph, 100)].count(run) == 1


@pytest.mark.parametrize("kind", ["START", "RUNNING", "COMPLETE"])
def test_states_that_nobody_asks_for_are_no_news(graph: Graph, kind: str) -> None:
    send(graph, run_event("a", kind), routes=(route(),))
    assert told(graph) == []


def test_each_state_of_a_task_is_told_with_its_line_where_somebody_asks_for_it(
    graph: Graph,
) -> None:
    run, dag = new_id(), new_id()
    waits = run_event("dag.a", "OTHER", run_id=run, parent=(dag, "dag"))
    own = {"state": "WAITING", "reason": "WAITS_FOR_PARENTS", "message": "waits for b, 3 h old"}
    waits["run"]["facets"]["lineagegraph"] = own
    events = [run_event("dag.a", kind, run_id=run) for kind in ("START", "COMPLETE")]
    fresh = run_event("dag.b", "COMPLETE", parent=(dag, "dag"))
    own = {"state": "FRESH_SKIP", "reason": "FRESH", "message": "b completed 1 h ago"}
    fresh["run"]["facets"]["lineagegraph"] = own
    every = route(on=("waiting", "running", "completed", "fresh_skip"), tasks=True)
    send(graph, waits, waits, *events, fresh, routes=(every, route(on=PROGRESS, name="top")))
    found = {n.type: (n.reason, n.message) for n in read_notifications(graph, 100)}
    assert found == {
        "run.waiting": ("WAITS_FOR_PARENTS", "waits for b, 3 h old"),
        "run.running": (None, None),
        "run.completed": (None, None),
        "run.fresh_skip": ("FRESH", "b completed 1 h ago"),
    }


def failed_attempt(attempt: int, **rest: Any) -> dict[str, Any]:
    event = run_event("dag.load", "RUNNING", **rest)
    retry = {"nextAt": "2030-01-31T02:00:00Z", "reason": "USER_CODE", "message": "no space left"}
    event["run"]["facets"]["lineagegraph"] = {"attempt": attempt, "retry": retry}
    return event


def test_each_failed_attempt_is_told_once_with_the_time_of_the_next(graph: Graph) -> None:
    run, dag = new_id(), (new_id(), "dag")
    events = [failed_attempt(number, run_id=run, parent=dag, at=NOW) for number in (1, 1, 2)]
    old = failed_attempt(1, at=NOW - 2 * HOUR)
    routes = (route(on=("retry",)), route(name="b", on=("failed",), to="http://127.0.0.1/"))
    send(graph, *events, old, routes=routes)
    found = read_notifications(graph)
    assert {(n.type, n.subject, n.job) for n in found} == {("run.retry", run, "dag.load")}
    assert [(n.reason, n.message) for n in found] == [("USER_CODE", "no space left")] * 2


def test_an_attempt_after_a_wait_is_told_though_the_number_was_told_before(graph: Graph) -> None:
    run, dag = new_id(), (new_id(), "dag")
    for minutes in (9, 9, 1):
        at = NOW - timedelta(minutes=minutes)
        event = failed_attempt(1, run_id=run, parent=dag, at=at)
        send(graph, event, routes=(route(on=("retry",)),))
    assert len(read_notifications(graph)) == 2


def test_a_wait_of_a_run_that_began_long_ago_is_news_with_its_own_time(graph: Graph) -> None:
    run = new_id()
    began = run_event("load", "START", run_id=run, at=NOW - 2 * HOUR)
    waits = run_event("load", "OTHER", run_id=run, at=NOW)
    waits["run"]["facets"]["lineagegraph"] = {"state": "WAITING"}
    send(graph, began, waits, routes=(route(on=("waiting",)),))
    (found,) = read_notifications(graph)
    assert (found.type, found.at) == ("run.waiting", NOW)


def test_a_malformed_report_of_a_failed_attempt_is_no_report(graph: Graph) -> None:
    for retry in ({"nextAt": "soon"}, {"nextAt": None}, "x", {}):
        event = failed_attempt(1)
        event["run"]["facets"]["lineagegraph"]["retry"] = retry
        send(graph, event, routes=(route(),))
    send(graph, failed_attempt(0), routes=(route(),))
    assert told(graph) == []


def test_failed_attempts_of_a_muted_job_are_not_told(graph: Graph) -> None:
    run, dag = new_id(), (new_id(), "dag")
    send(graph, run_event("dag.load", "START", run_id=run, parent=dag), routes=())
    mute_job(graph, find_job(graph, "dag").key, "we know", datetime.now(UTC) + HOUR)
    send(graph, failed_attempt(1, run_id=run, parent=dag), routes=(route(),))
    assert told(graph) == []


def test_a_kill_is_told_where_somebody_asks_for_it(graph: Graph) -> None:
    send(graph, run_event("a", "ABORT"), routes=(route(on=("killed",), name="k"),))
    assert told(graph) == [("k", "run.killed", "a")]


def test_what_failed_long_ago_is_no_news(graph: Graph) -> None:
    send(graph, failure(at=NOW - 2 * HOUR), routes=(route(),))
    assert told(graph) == []


def test_runs_of_tasks_are_told_where_somebody_asks_for_them(graph: Graph) -> None:
    dag = new_id()
    task = failure("dag.load", parent=(dag, "dag"))
    routes = (route(name="top"), route(name="every", tasks=True))
    send(graph, task, failure("dag", run_id=dag), routes=routes)
    assert told(graph) == [
        ("every", "run.failed", "dag"),
        ("every", "run.failed", "dag.load"),
        ("top", "run.failed", "dag"),
    ]


def test_what_does_not_happen_is_not_told(graph: Graph) -> None:
    def fail(tx: Transaction) -> None:
        commit(tx, extract([failure()]), routes=(route(),))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        graph.write(fail)
    assert told(graph) == []


def test_other_transitions_are_told_and_each_turn_of_one_anew(graph: Graph) -> None:
    letter = Transition(
        occasion=Occasion.DEAD_LETTER,
        about="firing",
        id="f1",
        namespace="default",
        job="report",
        at=NOW,
        message="x" * 10_000,
    )
    for turn in ("", "", "again"):
        again = {name: getattr(letter, name) for name in letter.__struct_fields__} | {"turn": turn}
        graph.write(notify, [letter, Transition(**again)], (route(name="a"),))
    assert told(graph) == [("a", "firing.dead_letter", "report")] * 2
    assert {len(n.message or "") for n in read_notifications(graph)} == {2000}


FIRING = """
CREATE (:Job {key: 'k', namespace: 'default', fqn: 'report'})<-[:STARTS]-(t:Trigger {id: 't'})
CREATE (t)-[:FIRED]->(:Firing {key: 'f', state: 'PENDING', reason: 'a COMPLETED'})
"""


def end_firing(graph: Graph, state: str, now: datetime = NOW) -> None:
    row = {"key": "f", "state": state, "text": "rows is missing", "until": None}
    graph.write(firings.set_states, rows=[row], now=now)
    for _ in range(2):
        graph.write(notify_given_up, (route(name="a"),), max_event_age=HOUR, now=NOW)


@pytest.mark.parametrize("state", ["DEAD_LETTER", "EXPIRED", "ABORTED"])
def test_a_firing_that_is_given_up_is_told_once_and_again_when_it_is_again(
    graph: Graph, state: str
) -> None:
    graph.query(FIRING, write=True)
    end_firing(graph, state)
    (found,) = read_notifications(graph)
    assert (found.type, found.job) == (f"firing.{state.lower()}", "report")
    assert (found.reason, found.message) == ("a COMPLETED", "rows is missing")
    end_firing(graph, state, NOW - timedelta(minutes=1))
    assert len(told(graph)) == 2


def test_a_firing_that_no_own_route_takes_is_left_to_another_daemon(graph: Graph) -> None:
    graph.query(FIRING, write=True)
    row = {"key": "f", "state": "EXPIRED", "text": None, "until": None}
    graph.write(firings.set_states, rows=[row], now=NOW)
    for only in (
        {"on": ("failed", "dead_letter")},
        {"jobs": ("sales.*",)},
        {"namespaces": ("prod",)},
        {"owners": ("team:*",)},
        {"on": ("expired",)},
    ):
        assert told(graph) == []
        routes = (route(**only),)
        graph.write(notify_given_up, routes, max_event_age=HOUR, now=NOW)
    assert [one.type for one in read_notifications(graph)] == ["firing.expired"]


def test_a_firing_that_waits_or_was_given_up_long_ago_is_no_news(graph: Graph) -> None:
    graph.query(FIRING, write=True)
    end_firing(graph, "HELD")
    end_firing(graph, "EXPIRED", NOW - 2 * HOUR)
    assert told(graph) == []


def operators(plan: dict[str, Any]) -> set[str]:
    below = (operators(child) for child in plan.get("children", ()))
    return {plan["operatorType"].partition("@")[0]}.union(*below)


@pytest.mark.parametrize(
    "name",
    ["claim_untold", "claim_notification", "settle_stranded", "delete_old", "list_notifications"],
)
def test_what_is_looked_for_in_the_outbox_is_found_by_an_index(graph: Graph, name: str) -> None:
    given = {
        "taken": [["k", "EXPIRED"]],
        "known": ["a"],
        "channel": "a",
        "limit": 5,
        "age": HOUR,
        "max_event_age": HOUR,
        "lease": HOUR,
        "claim": "c",
        "error": "e",
    }
    with graph.autocommit() as session:
        text = "EXPLAIN " + statement(f"notifications/{name}")
        plan = session.run(text, given | {"now": NOW}).consume().plan
    found = operators(plan or {})
    assert "NodeByLabelScan" not in found
    assert any(operator.startswith("NodeIndex") for operator in found)
    assert "Sort" not in found


def test_a_worker_tells_of_the_failure_that_it_reports(graph: Graph) -> None:
    claim = claimed(graph, queued(graph, "p"))
    reporter = GraphReporter(graph, claim.id, claim.fence, HOUR, (route(name="a"),))
    reporter.report([failure("p", run_id=claim.id)])
    assert told(graph) == [("a", "run.failed", "p")]


def test_a_worker_that_is_lost_is_told_of(graph: Graph) -> None:
    claim = claimed(graph, queued(graph, "p"))
    lost = LostRun(claim.id, claim.fence, claim.launches, has_started=True)
    reap_run(graph, lost, HOUR, (route(name="a"),))
    assert [(n.type, n.reason) for n in read_notifications(graph)] == [("run.failed", "LOST")]


def test_a_firing_whose_run_cannot_be_started_is_told_of_as_a_dead_letter(graph: Graph) -> None:
    claim = claimed(graph, queued(graph, "p"))
    graph.query(FIRING, write=True)
    graph.query("MATCH (f:Firing), (r:Run) CREATE (f)-[:STARTED]->(r)", write=True)
    event = failure("p", run_id=claim.id)
    event["run"]["facets"]["lineagegraph"] = {"reason": "NOT_STARTED"}
    GraphReporter(graph, claim.id, claim.fence, HOUR).report([event])
    graph.write(notify_given_up, (route(name="a"),), max_event_age=HOUR)
    assert told(graph) == [("a", "firing.dead_letter", "report")]


def test_a_task_that_the_skip_list_names_is_told_of_without_asking_for_tasks(graph: Graph) -> None:
    batch = run_event("kpi", "START")
    parent = (batch["run"]["runId"], "kpi")
    skipped = [run_event(f"kpi.{name}", "ABORT", parent=parent) for name in ("rides", "drivers")]
    for event, reason in zip(skipped, ("SKIP_LIST", "PARENT_SKIPPED"), strict=True):
        said = {"state": "SKIPPED", "reason": reason, "message": "on the skip list by ann: broken"}
        event["run"]["facets"]["lineagegraph"] = said
    send(graph, batch, *skipped, routes=(route(),))
    (one,) = read_notifications(graph, 10)
    assert (one.type, one.job, one.message) == (
        "run.skipped",
        "kpi.rides",
        "on the skip list by ann: broken",
    )


def owned(event: dict[str, Any], *owners: str) -> dict[str, Any]:
    event["job"]["facets"]["ownership"] = {"owners": [{"name": name} for name in owners]}
    return event


def test_a_route_takes_what_its_owners_own_and_each_notification_names_the_owners(
    graph: Graph,
) -> None:
    routes = (
        route(name="all", to="http://127.0.0.1/all"),
        route(name="sales", owners=("team:sales*",), to="http://127.0.0.1/sales"),
        route(name="hr", owners=("team:hr",), to="http://127.0.0.1/hr"),
    )
    send(graph, owned(failure("load"), "team:sales-eu", "ann"), failure("other"), routes=routes)
    assert told(graph) == [
        ("all", "run.failed", "load"),
        ("all", "run.failed", "other"),
        ("sales", "run.failed", "load"),
    ]
    rows = graph.query("MATCH (n:Notification {channel: 'sales'}) RETURN n.owners AS owners")
    assert rows == [{"owners": ["team:sales-eu", "ann"]}]


def test_a_task_has_the_owners_of_its_pipeline(graph: Graph) -> None:
    routes = (route(name="sales", owners=("team:sales",), tasks=True),)
    run_id = new_id()
    send(graph, owned(run_event("daily", "START", run_id=run_id), "team:sales"), routes=routes)
    send(graph, failure("daily.load", parent=(run_id, "daily")), routes=routes)
    assert told(graph) == [("sales", "run.failed", "daily.load")]


def test_failures_of_a_muted_job_and_its_tasks_are_not_told_until_the_mute_ends(
    graph: Graph,
) -> None:
    routes = (route(tasks=True),)
    run_id = new_id()
    send(graph, run_event("daily", "START", run_id=run_id), routes=routes)
    key = find_job(graph, "daily").key
    mute_job(graph, key, "the vendor is down", NOW + HOUR, author="ann")
    (muted,) = list_mutes(graph)
    assert describe_mute(muted).endswith("by ann: the vendor is down")
    send(graph, failure("daily.load", parent=(run_id, "daily")), routes=routes)
    send(graph, failure("daily"), failure("other"), routes=routes)
    assert [job for _, _, job in told(graph)] == ["other"]
    assert list_mutes(graph, now=NOW + 2 * HOUR) == [], "it ends by itself"
    unmute_job(graph, key, "daily")
    send(graph, failure("daily"), routes=routes)
    assert len(told(graph)) == 2
    with pytest.raises(NotFound, match="daily is not muted"):
        unmute_job(graph, key, "daily")
    with pytest.raises(InvalidMute, match="must end in the future"):
        mute_job(graph, key, "late", NOW - HOUR)
