"""Runs that a person marks as succeeded or failed: the state follows until it is restored."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.admin.audit import AuditFilter, list_entries
from lineagegraph.errors import MarkRefused, NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.queries.jobs.outbox import read_notifications
from lineagegraph.queries.runs.runs import read_run, read_runs
from lineagegraph.reactions.commit import commit
from lineagegraph.runs.acknowledge import acknowledge_run, unacknowledge_run
from lineagegraph.runs.annotate import annotate_run
from lineagegraph.runs.mark import mark_run, unmark_run
from lineagegraph.store.admin.retention import delete_runs
from tests.events import run_event
from tests.integration.scheduling.rules import write_rules
from tests.launches import queued

NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=2)
ROUTES = (Route(on=("failed", "completed"), to="log:"),)
COMPLETED, FAILED = RunState.COMPLETED, RunState.FAILED


def told(graph: Graph, *events: dict[str, Any]) -> str:
    graph.write(commit, extract(events))
    return str(events[0]["run"]["runId"])


def failed(graph: Graph, name: str = "load", **rest: Any) -> str:
    return told(graph, run_event(name, "FAIL", at=LONG_AGO, **rest))


def watch(graph: Graph, state: str) -> None:
    rule = Trigger(when=OnStatus(job="load", statuses=(state,)))
    graph.write(write_rules, {"report": rule}, NOW - timedelta(days=3))


def started(graph: Graph) -> int:
    return int(graph.query("MATCH (:Trigger)-[:FIRED]->(f) RETURN count(f) AS n")[0]["n"])


def state(graph: Graph, run_id: str) -> tuple[str, str | None, str | None]:
    run = read_run(graph, run_id).run
    return run.state, run.reason, run.mark.author if run.mark else None


def test_a_marked_run_has_its_new_state_and_shows_who_marked_it_when_and_why(graph: Graph) -> None:
    run_id = failed(graph)
    mark_run(graph, run_id, COMPLETED, "loaded by hand", author="ann")
    run = read_run(graph, run_id).run
    assert (run.state, run.reason) == ("COMPLETED", "MARKED")
    assert run.message == "was FAILED; marked by ann: loaded by hand"
    assert run.mark is not None
    assert (run.mark.before, run.mark.reason) == ("FAILED", "loaded by hand")
    assert run.mark.at > NOW
    assert run.ended_at is not None
    assert run.ended_at == LONG_AGO, "it ended when it ended"


def test_taking_a_mark_back_restores_the_run_as_it_was(graph: Graph) -> None:
    run_id = failed(graph, outputs=(("file", "/a"),))
    before = read_run(graph, run_id).run
    mark_run(graph, run_id, COMPLETED, "fine")
    assert unmark_run(graph, run_id) is FAILED
    assert read_run(graph, run_id).run == before
    with pytest.raises(MarkRefused, match="is not marked: its own state is FAILED"):
        unmark_run(graph, run_id)


def test_a_run_in_any_state_takes_notes_of_several_people_in_order(graph: Graph) -> None:
    run_id = told(graph, run_event("load", "START"))
    before = read_run(graph, run_id).run
    annotate_run(graph, run_id, "second", author="ann", now=NOW, key="one")
    annotate_run(graph, run_id, "first", author="bob", now=LONG_AGO, key="one")
    annotate_run(graph, run_id, "second", author="ann", now=NOW)
    told(graph, run_event("load", "COMPLETE", run_id=run_id))
    notes = [(note.author, note.text) for note in read_run(graph, run_id).notes]
    assert notes == [("bob", "first"), ("ann", "second"), ("ann", "second")]
    assert before.message is None
    entries = list_entries(graph, AuditFilter(), limit=9)
    assert [one.action for one in entries if one.action == "run.annotate"] == ["run.annotate"] * 3
    graph.write(delete_runs, ids=[run_id])
    assert graph.query("MATCH (n:Note) RETURN n") == []


def test_a_note_needs_a_run_and_a_line_of_text(graph: Graph) -> None:
    run_id = failed(graph)
    for text in ("", " ", "x" * 2001):
        with pytest.raises(MarkRefused, match="give a note"):
            annotate_run(graph, run_id, text)
    with pytest.raises(NotFound, match="no run"):
        annotate_run(graph, new_id(), "lost")
    assert read_run(graph, run_id).notes == ()


def test_a_run_that_goes_on_is_not_marked(graph: Graph) -> None:
    running = told(graph, run_event("load", "START"))
    waiting = queued(graph, "batch")
    for run_id in (running, waiting):
        with pytest.raises(MarkRefused, match="has not ended: wait for its end, or end it with"):
            mark_run(graph, run_id, COMPLETED, "fine")
    with pytest.raises(NotFound, match="no run"):
        mark_run(graph, new_id(), COMPLETED, "fine")


def test_a_mark_needs_a_reason_and_another_state(graph: Graph) -> None:
    run_id = failed(graph)
    with pytest.raises(MarkRefused, match="give a reason"):
        mark_run(graph, run_id, COMPLETED, " ")
    with pytest.raises(MarkRefused, match="is FAILED already"):
        mark_run(graph, run_id, FAILED, "bad")
    assert state(graph, run_id) == ("FAILED", None, None)


def test_triggers_fire_once_for_a_mark_however_often_it_is_taken_back(graph: Graph) -> None:
    watch(graph, "COMPLETED")
    run_id = failed(graph)
    assert started(graph) == 0
    for _ in range(3):
        mark_run(graph, run_id, COMPLETED, "loaded by hand")
        assert started(graph) == 1, "a mark is news, however long ago the run ended"
        unmark_run(graph, run_id)


def test_a_success_marked_failed_fires_what_watches_for_failures(graph: Graph) -> None:
    watch(graph, "FAILED")
    run_id = told(graph, run_event("load", at=LONG_AGO, outputs=(("file", "/a"),)))
    mark_run(graph, run_id, FAILED, "wrong numbers")
    assert started(graph) == 1
    written = "MATCH (v:DatasetVersion) RETURN v.written_at AS at"
    assert graph.query(written) == [{"at": None}], "what it wrote counts no longer"
    unmark_run(graph, run_id)
    assert graph.query(written)[0]["at"] is not None


def test_a_mark_is_notified_and_in_the_audit_log_and_the_stream_of_states(graph: Graph) -> None:
    run_id = failed(graph)
    mark_run(graph, run_id, COMPLETED, "loaded by hand", author="ann", routes=ROUTES)
    unmark_run(graph, run_id, routes=ROUTES)
    assert [n.type for n in read_notifications(graph)] == ["run.completed"]
    unmarked, marked = list_entries(graph, AuditFilter(action="run"))
    assert (marked.action, marked.before) == ("run.mark", '{"state":"FAILED"}')
    assert marked.after is not None
    assert "loaded by hand" in marked.after
    assert (unmarked.action, unmarked.after) == ("run.unmark", '{"state":"FAILED"}')
    changes = graph.query(
        "MATCH (c:StateChange)-[:OF]->(r) "
        "RETURN c.state AS state, c.reason AS reason, c.at >= $now AS new ORDER BY c.at",
        {"now": NOW},
    )
    assert [tuple(row.values()) for row in changes] == [
        ("FAILED", None, False),
        ("COMPLETED", "MARKED", True),
        ("FAILED", None, True),
    ]


def test_a_mark_holds_against_the_clock_of_a_producer_that_is_ahead(graph: Graph) -> None:
    now = datetime.now(UTC)
    run_id = told(graph, run_event("load", "START", at=now + timedelta(minutes=5)))
    told(graph, run_event("load", "FAIL", run_id=run_id, at=now + timedelta(minutes=6)))
    mark_run(graph, run_id, COMPLETED, "fine")
    assert state(graph, run_id)[0] == "COMPLETED"
    told(graph, run_event("load", "START", run_id=run_id, at=now + timedelta(minutes=9)))
    assert state(graph, run_id)[0] == "FAILED", "the mark was about what it did before"


def test_a_failure_is_acknowledged_with_a_note_until_the_run_is_no_failure(graph: Graph) -> None:
    run_id = failed(graph)
    acknowledge_run(graph, run_id, "the vendor was asked", author="ann")
    (listed,) = read_runs(graph, "load")
    assert listed.acknowledgement is not None
    assert listed.acknowledgement.text == "acknowledged by ann: the vendor was asked"
    assert read_run(graph, run_id).run.acknowledgement == listed.acknowledgement
    (entry,) = list_entries(graph, AuditFilter(action="run.acknowledge"))
    assert entry.key == run_id
    mark_run(graph, run_id, COMPLETED, "fine")
    assert read_run(graph, run_id).run.acknowledgement is None
    with pytest.raises(MarkRefused, match="only FAILED and KILLED runs are acknowledged"):
        acknowledge_run(graph, run_id)
    unmark_run(graph, run_id)
    unacknowledge_run(graph, run_id)
    assert read_run(graph, run_id).run.acknowledgement is None
