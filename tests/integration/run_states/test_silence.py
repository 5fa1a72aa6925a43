"""Runs of others that fell silent are given up, and taken back when their producer says so."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from lineagegraph.cli.operate.silence import silence
from lineagegraph.daemon import daemon
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.liveness.contact import Contact
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reactions.commit import commit
from lineagegraph.reactions.end_runs import failure_event
from lineagegraph.runs.silence import fail_silent_runs
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.silence import set_job
from tests.acceptance.processes import shared, until
from tests.events import run_event
from tests.integration.ingest.test_order import START, SUPPRESSED, check_order, record_all
from tests.integration.run_states.test_numbers import changes, life
from tests.integration.scheduling.test_triggers import make_trigger

HOUR = timedelta(hours=1)
RULE = {"*": 2 * HOUR}
FAILED = OnStatus(job="a", statuses=(RunState.FAILED,))


@pytest.fixture
def steady() -> Contact:
    found = Contact(gap=1e9, term=0)
    found.note(datetime.now(UTC))
    return found


def give_up(
    graph: Graph, settings: Settings, contact: Contact, hours: float, rule: Any = RULE
) -> int:
    """End what is silent as if so many hours had passed."""
    own = settings.model_copy(update={"silent_after": rule, "news_seconds": 1e9})
    return fail_silent_runs(graph, own, contact, datetime.now(UTC) + hours * HOUR)


def told(graph: Graph) -> list[str]:
    return [change.state.value for change in changes(graph)]


def run_of(graph: Graph, job: str = "a") -> dict[str, Any]:
    (row,) = graph.query(
        "MATCH (r:Run {name: $job}) RETURN r.state AS state, r.reason AS reason, "
        "r.error AS error, r.ended_at IS NOT NULL AS ended",
        {"job": job},
    )
    return row


def test_a_run_that_is_silent_for_too_long_fails_once_and_triggers_hear_of_it(
    graph: Graph, settings: Settings, steady: Contact
) -> None:
    make_trigger(graph, FAILED)
    record_all(graph, [life("START")])
    assert give_up(graph, settings, steady, 1.9) == 0
    with ThreadPoolExecutor(4) as pool:
        ended = pool.map(lambda _: give_up(graph, settings, steady, 2.1), range(4))
        assert sum(ended) == 1
    assert run_of(graph) == {
        "state": "FAILED", "reason": "SILENT", "error": "no more events were received",
        "ended": True,
    }  # fmt: skip
    assert [(c.state.value, c.reason) for c in changes(graph) if c.name == "a"] == [
        ("RUNNING", None), ("FAILED", "SILENT")
    ]  # fmt: skip
    assert graph.query("MATCH (f:Firing) RETURN count(f) AS n") == [{"n": 1}]


def test_without_a_rule_nothing_ends(graph: Graph, settings: Settings, steady: Contact) -> None:
    record_all(graph, [life("START")])
    assert give_up(graph, settings, steady, 1e4, {}) == 0
    assert give_up(graph, settings, steady, 1e4, {"other": HOUR}) == 0
    assert give_up(graph, settings, steady, 1e4, {"default": HOUR}) == 1


@pytest.mark.parametrize(("late", "state"), [("COMPLETE", "COMPLETED"), ("ABORT", "KILLED")])
def test_an_end_that_comes_after_all_is_the_truth(
    graph: Graph, settings: Settings, steady: Contact, late: str, state: str
) -> None:
    make_trigger(graph, OnStatus(job="a", statuses=(RunState(state),)))
    start, end = life("START", late)
    record_all(graph, [[start]])
    give_up(graph, settings, steady, 3)
    assert len(graph.write(commit, extract([end]))) == 1
    found = run_of(graph)
    assert (found["state"], found["reason"], found["error"]) == (state, None, None)


def test_a_run_that_is_heard_of_again_runs_again_and_may_fall_silent_again(
    graph: Graph, settings: Settings, steady: Contact
) -> None:
    start, alive = life("START", "RUNNING")
    record_all(graph, [[start]])
    assert told(graph) == ["RUNNING"]
    give_up(graph, settings, steady, 3)
    assert told(graph) == ["RUNNING", "FAILED"]
    record_all(graph, [[alive]])
    found = run_of(graph)
    assert (found["state"], found["reason"], found["ended"]) == ("RUNNING", None, False)
    assert told(graph) == ["RUNNING", "FAILED", "RUNNING"]
    assert give_up(graph, settings, steady, 3) == 1
    assert told(graph) == ["RUNNING", "FAILED", "RUNNING", "FAILED"]


def test_a_word_of_the_producer_puts_the_end_off(
    graph: Graph, settings: Settings, steady: Contact
) -> None:
    start, alive = life("START", "RUNNING")
    record_all(graph, [[start]])
    graph.query("MATCH (r:Run) SET r.awaited_since = r.awaited_since - duration('P1D')", write=True)
    record_all(graph, [[alive]])
    assert give_up(graph, settings, steady, 1) == 0


def test_a_run_is_heard_by_those_below_it_and_takes_them_with_it(
    graph: Graph, settings: Settings, steady: Contact
) -> None:
    dag, (start, end) = new_id(), life("START", "COMPLETE", job="dag.b")
    task = {"parent": (dag, "dag")}
    record_all(graph, [[run_event("dag", "START", run_id=dag)]])
    record_all(graph, [[run_event("dag.a", "START", **task)], [run_event("dag.c", "FAIL", **task)]])
    graph.query("MATCH (r:Run) SET r.awaited_since = r.awaited_since - duration('P1D')", write=True)
    assert give_up(graph, settings, steady, 1) == 1
    assert run_of(graph, "dag")["state"] == "RUNNING"
    assert run_of(graph, "dag.a")["state"] == "FAILED"
    for event in (start, end):
        event["run"]["facets"]["parent"] = {
            "run": {"runId": dag}, "job": {"namespace": "default", "name": "dag"}
        }  # fmt: skip
    record_all(graph, [[start]])
    assert give_up(graph, settings, steady, 3)
    assert run_of(graph, "dag")["reason"] == run_of(graph, "dag.b")["reason"] == "SILENT"


def test_what_runs_here_has_a_lease_instead(
    graph: Graph, settings: Settings, steady: Contact
) -> None:
    make_trigger(graph, FAILED)
    run_id = new_id()
    key = job_key(None, "default", "report")
    graph.write(launches.merge_queued, run_id=run_id, job_key=key, params=None, only=[], now=None)
    record_all(graph, [[run_event("report", "START", run_id=run_id)]])
    record_all(graph, [[run_event("report.task", "START", parent=(run_id, "report"))]])
    assert give_up(graph, settings, steady, 1e4) == 0


def test_a_job_has_a_rule_of_its_own_that_follows_it(
    graph: Graph, settings: Settings, steady: Contact
) -> None:
    app = new_id()
    record_all(graph, [[run_event("app", "START", run_id=app)], life("START", job="b")])
    for job, seconds in (("app", 0.0), ("b", 60.0)):
        graph.write(set_job, job_key=job_key(None, "default", job), seconds=seconds)
    record_all(graph, [[run_event("app", "RUNNING", run_id=app, parent=(new_id(), "dag"))]])
    assert give_up(graph, settings, steady, 1, {}) == 1
    assert give_up(graph, settings, steady, 1e4) == 0
    assert (run_of(graph, "app")["state"], run_of(graph, "b")["state"]) == ("RUNNING", "FAILED")


def test_while_the_graph_may_have_been_away_nobody_is_given_up(
    graph: Graph, settings: Settings
) -> None:
    record_all(graph, [life("START")])
    assert give_up(graph, settings, Contact(gap=1, term=1), 3) == 0


def test_the_command_says_and_shows_the_rule_of_a_job(
    graph: Graph,
    server: ServerAddress,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    record_all(graph, [life("START")])
    for name, value in shared(server, tmp_path).items():
        monkeypatch.setenv(name, value)
    load_settings.cache_clear()
    for age in ("2h", "off", "default", None):
        silence("a", age)
    load_settings.cache_clear()
    assert capsys.readouterr().out.splitlines() == [
        "a: its runs count as dead after 2h without an event",
        "a: off: its runs may stay silent forever",
        *["a: its namespace's default (setting silent_after)"] * 2,
    ]
    for wrong in ("soon", "0h"):
        with pytest.raises(typer.BadParameter):
            silence("a", wrong)


def test_a_daemon_gives_up_what_is_silent(
    graph: Graph, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_all(graph, [life("START")])
    monkeypatch.setattr(daemon, "_SILENT_SECONDS", 0.2)
    settings = settings.model_copy(update={"lease_seconds": 1.0})
    own = {
        "home": tmp_path,
        "silent_after": {"*": timedelta(seconds=0.1)},
        "heartbeat_seconds": 0.1,
    }
    beating = Daemon(graph, settings.model_copy(update=own))
    beating.start()
    try:
        until(lambda: told(graph) == ["RUNNING", "FAILED"])
    finally:
        beating.stop()


def minute(number: int) -> datetime:
    return START + timedelta(minutes=number)


@st.composite
def lives(draw: st.DrawFn) -> list[dict[str, Any]]:
    """What is told of one run, with ends that were only guessed."""
    run_id, events = new_id(), []
    for _ in range(draw(st.integers(1, 6))):
        at = minute(draw(st.integers(0, 6)))
        kind = draw(st.sampled_from(["START", "RUNNING", "OTHER", "COMPLETE", "FAIL", "SILENT"]))
        if kind == "SILENT":
            own = {"reason": kind, "silentSince": minute(draw(st.integers(0, 6))).isoformat()}
            events.append(failure_event(run_id, "default", "a", at, own, "silent"))
        else:
            events.append(run_event("a", kind, run_id=run_id, at=at))
    return events


@hypothesis_settings(max_examples=15, deadline=None, suppress_health_check=SUPPRESSED)
@given(events=lives(), seed=st.integers(0, 2**32))
def test_guessed_ends_make_no_difference_to_that_order_makes_none(
    graph: Graph, events: list[dict[str, Any]], seed: int
) -> None:
    check_order(graph, events, seed)


@given(events=lives(), chance=st.randoms())
def test_a_guess_never_beats_what_the_producer_said(
    events: list[dict[str, Any]], chance: random.Random
) -> None:
    def state(said: list[dict[str, Any]]) -> RunState:
        return extract(said).runs[events[0]["run"]["runId"]].state

    def is_guess(event: dict[str, Any]) -> bool:
        return "silentSince" in event["run"]["facets"].get("lineagegraph", {})

    known = [event for event in events if not is_guess(event)]
    if known and state(known) not in (RunState.PENDING, RunState.RUNNING):
        assert state(events) is state(known)
    shuffled = chance.sample(events, k=len(events))
    assert state(shuffled) is state(events)
