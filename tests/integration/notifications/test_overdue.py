"""Runs that take too long, and runs that no worker takes: each is told once."""

from datetime import UTC, datetime, timedelta
from typing import Any

from lineagegraph.admin.mutes import mute_job
from lineagegraph.daemon.overdue import notify_overdue
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.runs.ids import new_id
from lineagegraph.outbox.notifications.channels import open_channels
from lineagegraph.outbox.notifications.sender import Sender
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.jobs.outbox import read_notifications
from lineagegraph.reactions.commit import commit
from lineagegraph.settings import Settings
from tests.events import run_event
from tests.launches import queued

NOW = datetime.now(UTC)
MINUTE = timedelta(minutes=1)


def routed(settings: Settings, *on: str, **more: Any) -> Settings:
    return settings.model_copy(update={"notify": (Route(on=on, to="log:", **more),)})


def ran(graph: Graph, job: str, *minutes: float, parent: tuple[str, str] | None = None) -> None:
    """Completed runs that took some minutes, an hour apart."""
    for hours, took in enumerate(minutes, start=2):
        run, start = new_id(), NOW - timedelta(hours=hours)
        for kind, at in (("START", start), ("COMPLETE", start + took * MINUTE)):
            event = run_event(job, kind, run_id=run, at=at, parent=parent)
            graph.write(commit, extract([event]))


def running(graph: Graph, job: str, minutes: float, **more: Any) -> str:
    run = new_id()
    event = run_event(job, "START", run_id=run, at=NOW - minutes * MINUTE, **more)
    graph.write(commit, extract([event]))
    return run


def told(graph: Graph) -> list[tuple[str, str, str | None]]:
    return sorted((one.type, one.job, one.message) for one in read_notifications(graph, 100))


def test_a_run_that_takes_twice_as_long_as_the_longest_is_told_once(
    graph: Graph, settings: Settings
) -> None:
    ran(graph, "load", 10, 20, 12)
    ran(graph, "steady", 30, 30, 30)
    ran(graph, "new", 1, 1)
    ran(graph, "quick", 0.1, 0.1, 0.1)
    running(graph, "load", 41)
    running(graph, "steady", 41)
    running(graph, "new", 41)
    running(graph, "quick", 4)
    own = routed(settings, "slow")
    for minutes in (0, 5, 10):
        notify_overdue(graph, own, NOW + minutes * MINUTE)
    message = "it has run for 41m, the newest completed runs at most 20m"
    assert told(graph) == [
        ("run.slow", "load", message),
        ("run.slow", "quick", "it has run for 9m, the newest completed runs at most 6s"),
    ]


def test_a_run_that_goes_on_for_months_is_told_once(graph: Graph, settings: Settings) -> None:
    ran(graph, "load", 10, 20, 12)
    running(graph, "load", 41)
    own = routed(settings, "slow")
    sender = Sender(graph, open_channels(own.notify))
    for days in (0, 31, 62):
        now = NOW + timedelta(days=days)
        notify_overdue(graph, own, now)
        sender.send_due(now)
        sender.tidy(now)
    assert [job for _, job, _ in told(graph)] == ["load"]


def test_runs_that_ended_before_they_began_make_no_other_run_slow(
    graph: Graph, settings: Settings
) -> None:
    ran(graph, "skewed", -300, -300, -300)
    running(graph, "skewed", 12)
    notify_overdue(graph, routed(settings, "slow"), NOW)
    assert told(graph) == []


def test_only_the_newest_runs_say_what_is_usual(graph: Graph, settings: Settings) -> None:
    ran(graph, "load", *[5] * 10, 50, 50)
    running(graph, "load", 12)
    notify_overdue(graph, routed(settings, "slow"), NOW)
    assert [(type_, job) for type_, job, _ in told(graph)] == [("run.slow", "load")]


def test_tasks_are_told_where_asked_and_muted_jobs_are_not(
    graph: Graph, settings: Settings
) -> None:
    dag = running(graph, "dag", 41)
    ran(graph, "dag.task", 1, 1, 1)
    running(graph, "dag.task", 40, parent=(dag, "dag"))
    ran(graph, "muted", 1, 1, 1)
    running(graph, "muted", 40)
    mute_job(
        graph, find_job(graph, "muted").key, until=NOW + 60 * MINUTE, reason="known", author="me"
    )
    notify_overdue(graph, routed(settings, "slow"), NOW)
    assert told(graph) == []
    notify_overdue(graph, routed(settings, "slow", tasks=True), NOW)
    assert [(type_, job) for type_, job, _ in told(graph)] == [("run.slow", "dag.task")]


def test_a_queued_run_that_no_worker_takes_is_told_once(graph: Graph, settings: Settings) -> None:
    queued(graph, "load")
    own = routed(settings, "late")
    for minutes in (14, 16, 30):
        notify_overdue(graph, own, datetime.now(UTC) + minutes * MINUTE)
    assert [(type_, job) for type_, job, _ in told(graph)] == [("run.late", "load")]
    assert "for a worker" in str(told(graph)[0][2])


def test_a_cancelled_run_that_waits_for_its_end_is_not_late(
    graph: Graph, settings: Settings
) -> None:
    queued(graph, "load")
    # A cancelled run that was parked is queued as of when it was queued first.
    graph.query("MATCH (r:Run {launch: 'QUEUED'}) SET r.cancel_requested = true", write=True)
    notify_overdue(graph, routed(settings, "late"), datetime.now(UTC) + 16 * MINUTE)
    assert told(graph) == []


def test_without_a_route_nothing_is_asked(graph: Graph, settings: Settings) -> None:
    ran(graph, "load", 1, 1, 1)
    running(graph, "load", 40)
    notify_overdue(graph, routed(settings, "failed"), NOW)
    assert told(graph) == []
