"""What a sweep deletes, and what it keeps."""

from datetime import timedelta

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from lineagegraph.admin.retention import sweep
from lineagegraph.admin.retention.report import KeepReason
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import And, OnEvent, OnStatus
from lineagegraph.model.triggers.constraint import Concurrency, Otherwise
from lineagegraph.model.triggers.trigger import Argument, Trigger
from lineagegraph.queries.runs.events import list_events
from lineagegraph.reactions.commit import commit
from lineagegraph.triggers.external_event import record_event
from lineagegraph.triggers.held import release_held
from tests.events import run_event
from tests.integration.ingest.test_order import SUPPRESSED, dump, record_all, wipe
from tests.integration.retention.histories import START, answers, edges, history, run_ids, upstream
from tests.integration.scheduling.rules import end, firing_states, write_rules
from tests.integration.scheduling.test_triggers import make_trigger

NOW = START + timedelta(days=50)
AGES = {"*": timedelta(days=10)}


@settings(max_examples=2, deadline=None, suppress_health_check=SUPPRESSED, phases=[Phase.generate])
@given(seed=st.integers(0, 2**32))
def test_no_sweep_takes_an_edge_or_what_a_run_that_stays_came_from(graph: Graph, seed: int) -> None:
    check_sweep(graph, seed)


@pytest.mark.soak
@settings(max_examples=200, deadline=None, suppress_health_check=SUPPRESSED)
@given(seed=st.integers(0, 2**32))
def test_no_sweep_takes_an_edge_at_length(graph: Graph, seed: int) -> None:
    check_sweep(graph, seed)


def check_sweep(graph: Graph, seed: int) -> None:
    wipe(graph)
    record_all(graph, [history(seed)])
    whole, before, known = dump(graph), edges(graph), run_ids(graph)
    came_from = upstream(graph, known)
    times = [NOW - AGES["*"] + timedelta(days=days) for days in (0, 5)]
    of_then = answers(graph, times)
    dry = sweep(graph, AGES, now=NOW, dry_run=True)
    assert dump(graph) == whole
    done = sweep(graph, AGES, now=NOW)
    assert done.namespaces == dry.namespaces
    stay = run_ids(graph)
    assert sum(one.runs for one in done.namespaces.values()) == len(known - stay)
    assert edges(graph) == before
    assert answers(graph, times) == of_then
    assert upstream(graph, stay) == {id_: came_from[id_] for id_ in upstream(graph, stay)}
    assert len(graph.read(list_events, limit=1000).events) == events_of(graph)
    assert facets_without_use(graph) == []
    assert sum(one.runs for one in sweep(graph, AGES, now=NOW).namespaces.values()) == 0


def events_of(graph: Graph) -> int:
    (row,) = graph.query("MATCH (e:Event)-[:REPORTS]->(:Run) RETURN count(e) AS n")
    return int(row["n"])


def facets_without_use(graph: Graph) -> list[dict[str, object]]:
    return graph.query(
        "MATCH (f:Facet) WHERE NOT EXISTS { (f)<-[:HAS_FACET]-() } "
        "AND NOT EXISTS { MATCH (e:Event) WHERE e.body CONTAINS f.hash } "
        "AND NOT EXISTS { MATCH (d:Dataset) WHERE d.facts CONTAINS f.hash } RETURN f.name AS name"
    )


def daily(graph: Graph, days: int, namespace: str = "default") -> list[str]:
    """Runs of one job that wrote one dataset, one a day."""
    events = [
        run_event(
            "job", at=START + timedelta(days=day), outputs=(("lake", "/x"),), namespace=namespace
        )
        for day in range(days)
    ]
    record_all(graph, [events])
    return [event["run"]["runId"] for event in events]


def test_old_runs_go_with_their_events_and_versions(graph: Graph) -> None:
    runs = daily(graph, 50)
    done = sweep(graph, AGES, now=NOW)
    # The newest of the old runs stays: it is what the dataset held when the others grew old.
    assert run_ids(graph) == set(runs[39:])
    (kept,) = done.namespaces.values()
    assert (kept.runs, kept.events, kept.versions) == (39, 39, 39)
    assert kept.kept == {KeepReason.WITNESS: 1}
    (row,) = graph.query("MATCH (:Job)-[p:PRODUCES]->() RETURN p.runs AS n")
    assert row["n"] == 11


def test_only_namespaces_that_have_an_age_are_swept(graph: Graph) -> None:
    short, other = daily(graph, 5, "short"), daily(graph, 5, "long")
    sweep(graph, {"short": timedelta(0)}, now=NOW)
    assert run_ids(graph) == {short[-1], *other}


def test_a_run_that_was_told_of_during_the_sweep_stays(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = daily(graph, 5)

    def tell(what: str, done: int, total: int) -> None:
        if what == "finding runs that are still needed":
            late = run_event("job", "RUNNING", at=START, run_id=runs[1])
            graph.write(record, extract([late]))

    done = sweep(graph, AGES, now=NOW, note=tell)
    assert run_ids(graph) == {runs[1], runs[-1]}
    (kept,) = done.namespaces.values()
    assert kept.kept[KeepReason.TOLD] == 1


def test_a_run_that_a_trigger_has_yet_to_use_stays(graph: Graph) -> None:
    status = OnStatus(job="job", statuses=(RunState.COMPLETED,))
    other = OnStatus(job="other", statuses=(RunState.COMPLETED,))
    at = START - timedelta(minutes=1)
    make_trigger(graph, And(operands=(status, other)), now=at)
    event = run_event("job", at=START)
    graph.write(commit, extract([event]), now=START)
    daily(graph, 5)
    sweep(graph, AGES, now=NOW)
    assert event["run"]["runId"] in run_ids(graph)


def test_a_run_that_made_a_firing_that_is_still_held_stays_with_its_values(graph: Graph) -> None:
    when = OnStatus(job="job", statuses=(RunState.COMPLETED,))
    place = Argument(parameter="place", key="region")
    one = Concurrency(limit=1, otherwise=Otherwise.WAIT)
    rule = Trigger(when=when, arguments=(place,), constraints=(one,))
    graph.write(write_rules, {"report": rule}, START - timedelta(hours=1))
    for region in ("first", "second"):
        end(graph, "job", at=START, own={"params": {"region": region}})
    assert firing_states(graph)["report"] == ["STARTED", "HELD"]
    daily(graph, 5)
    sweep(graph, AGES, now=NOW)
    graph.query("MATCH (r:Run {launch: 'QUEUED'}) REMOVE r.launch", write=True)
    assert len(release_held(graph, now=NOW)) == 1
    rows = graph.query("MATCH (r:Run {launch: 'QUEUED'}) RETURN r.params AS params")
    assert [row["params"] for row in rows] == ['{"place": "second"}']


def test_runs_that_have_not_ended_stay(graph: Graph) -> None:
    events = [run_event("job", "START", at=START + timedelta(days=day)) for day in range(3)]
    record_all(graph, [events])
    sweep(graph, AGES, now=NOW)
    assert len(run_ids(graph)) == 3


def test_tasks_of_a_run_that_goes_on_stay(graph: Graph) -> None:
    """A worker that resumes the run would run them again."""
    daily(graph, 5)
    flow, task = new_id(), new_id()
    begun = run_event("flow", "START", at=START - timedelta(days=1), run_id=flow)
    done = run_event("job", at=START - timedelta(days=1), run_id=task, parent=(flow, "flow"))
    done["job"]["name"] = "flow.job"
    newer = run_event("flow.job", at=START, parent=(other := new_id(), "flow"))
    ended = run_event("flow", at=START, run_id=other)
    record_all(graph, [[begun, done, newer, ended]])
    own = "MATCH (r:Run {id: $id}) SET r += $set"
    graph.query(own, {"id": flow, "set": {"launch": "PARKED"}}, write=True)
    graph.query(own, {"id": task, "set": {"kind": "task"}}, write=True)
    sweep(graph, AGES, now=NOW)
    assert {flow, task} <= run_ids(graph)
    graph.query("MATCH (r:Run {id: $id}) REMOVE r.launch", {"id": flow}, write=True)
    sweep(graph, AGES, now=NOW)
    assert task not in run_ids(graph)


def test_inputs_that_a_snapshot_of_a_stream_replaced_are_shown_by_an_older_run(
    graph: Graph,
) -> None:
    pattern = {"emissionPattern": {"eventContentMode": "COMPLETE_SNAPSHOT"}}
    story = ((0, "first", "/a /b"), (1, "second", "/a /b"), (2, "second", "/a"))
    runs = {"first": new_id(), "second": new_id()}
    events = []
    for day, name, inputs in story:
        at = START + timedelta(days=day)
        files = tuple(("lake", one) for one in inputs.split())
        event = run_event("stream", at=at, run_id=runs[name], inputs=files)
        event["job"]["facets"] = {"jobType": pattern | {"processingType": "STREAMING"}}
        events.append(event)
    record_all(graph, [events])
    before = edges(graph)
    sweep(graph, AGES, now=NOW)
    assert edges(graph) == before
    assert set(runs.values()) <= run_ids(graph)


def test_the_order_that_only_an_old_run_told_of_stays(graph: Graph) -> None:
    old = run_event("job", at=START - timedelta(days=1))
    before = {"job": {"namespace": "default", "name": "earlier"}}
    old["run"]["facets"]["jobDependencies"] = {"upstream": [before]}
    record_all(graph, [[old]])
    daily(graph, 5)
    orders = "MATCH (:Job)-[o:COMES_AFTER|COMES_BEFORE]->() RETURN count(o) AS n"
    assert graph.query(orders) == [{"n": 1}]
    sweep(graph, AGES, now=NOW)
    assert graph.query(orders) == [{"n": 1}]


def test_the_version_behind_a_run_that_only_altered_the_dataset_stays(graph: Graph) -> None:
    written = run_event("job", at=START, outputs=(("lake", "/t"),))
    altered = run_event("job", at=START + timedelta(days=1), outputs=(("lake", "/t"),))
    change = {"lifecycleStateChange": {"lifecycleStateChange": "ALTER"}}
    altered["outputs"][0]["facets"] = change
    record_all(graph, [[written, altered]])
    sweep(graph, AGES, now=NOW)
    assert written["run"]["runId"] in run_ids(graph)


def test_old_external_events_go_unless_a_condition_holds_them(graph: Graph) -> None:
    pair = And(operands=(OnEvent(name="kept"), OnEvent(name="other")))
    make_trigger(graph, pair, "pair", START)
    make_trigger(graph, OnEvent(name="taken"), "alone", START)
    for name, at in (("kept", START), ("taken", START), ("nobody", START), ("new", NOW)):
        graph.write(record_event, name, event_id=name, occurred_at=at, now=at)
    sweep(graph, {"other": timedelta(days=1)}, now=NOW)
    assert left(graph) == {"kept", "taken", "nobody", "new"}
    sweep(graph, AGES, now=NOW, dry_run=True)
    assert left(graph) == {"kept", "taken", "nobody", "new"}
    sweep(graph, AGES, now=NOW)
    assert left(graph) == {"kept", "taken", "new"}


def left(graph: Graph) -> set[str]:
    return {one["id"] for one in graph.query("MATCH (e:ExternalEvent) RETURN e.id AS id")}
