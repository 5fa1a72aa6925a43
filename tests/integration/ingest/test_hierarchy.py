"""Which job a run belongs to, and what moves when a parent reports late."""

from typing import Any

import pytest

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest import hierarchy, moves
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.finish_moves import settle
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from tests.events import job_event, run_event
from tests.integration.races.overlap import overlap

GOLD = (("file", "/gold"),)


def send(graph: Graph, *events: dict[str, Any]) -> None:
    for event in events:
        graph.write(record, extract([event]))


def names(graph: Graph) -> list[str]:
    return [row["n"] for row in graph.query("MATCH (j:Job) RETURN j.fqn AS n ORDER BY n")]


def levels(graph: Graph, label: str) -> int:
    (row,) = graph.query(
        f"MATCH path = (top:{label})-[:PARENT_OF*0..]->() "
        "WHERE NOT EXISTS { ()-[:PARENT_OF]->(top) } RETURN max(length(path)) + 1 AS n"
    )
    return int(row["n"])


def test_a_child_that_reports_first_moves_under_its_grandparent_when_that_is_known(
    graph: Graph,
) -> None:
    dag, task, app, action = (new_id() for _ in range(4))
    send(
        graph,
        run_event("app.write", run_id=action, parent=(app, "app"), outputs=GOLD),
        run_event("app", run_id=app, parent=(task, "dag.task")),
        run_event("dag.task", run_id=task, parent=(dag, "dag")),
        run_event("dag", run_id=dag),
    )
    assert names(graph) == ["dag", "dag.task", "dag.task.app", "dag.task.app.write"]
    assert levels(graph, "Run") == levels(graph, "Job") == 4
    assert graph.query(
        "MATCH (j:Job)-[p:PRODUCES]->(:Dataset {name: '/gold'}) RETURN j.fqn AS job, p.runs AS runs"
    ) == [{"job": "dag.task.app.write", "runs": 1}]


def test_one_application_under_two_workflows_is_two_jobs(graph: Graph) -> None:
    for workflow in ("hourly", "daily"):
        run_id = new_id()
        send(graph, run_event(workflow, run_id=run_id))
        send(graph, run_event("app", parent=(run_id, workflow)))
    assert names(graph) == ["daily", "daily.app", "hourly", "hourly.app"]


def test_a_later_event_without_the_parent_facet_leaves_the_run_where_it_is(graph: Graph) -> None:
    dag, task = new_id(), new_id()
    send(
        graph,
        run_event("dag.task", "START", run_id=task, parent=(dag, "dag")),
        run_event("dag.task", "COMPLETE", run_id=task),
    )
    assert names(graph) == ["dag", "dag.task"]


def test_a_run_without_parent_belongs_to_the_job_of_that_fqn_whenever_that_comes(
    graph: Graph,
) -> None:
    send(graph, run_event("dag.task"))
    assert names(graph) == ["dag.task"]
    send(graph, run_event("dag.task", parent=(new_id(), "dag")))
    assert names(graph) == ["dag", "dag.task"]
    assert graph.query(
        "MATCH (:Job {fqn: 'dag'})-[:PARENT_OF]->(:Job)-[:HAS_RUN]->(r) RETURN count(r) AS n"
    ) == [{"n": 2}]


def test_an_adopted_run_is_a_full_member_once_it_reports_the_parent_itself(graph: Graph) -> None:
    adopted, dag = new_id(), new_id()
    first = run_event("dag.task", parent=(new_id(), "dag"))
    send(graph, first, run_event("dag.task", "START", run_id=adopted))
    send(graph, run_event("dag.task", run_id=adopted, parent=(dag, "dag")))
    assert graph.query(
        "MATCH (:Job {fqn: 'dag.task'})-[h:HAS_RUN]->(r) RETURN h.adopted AS adopted"
    ) == [{"adopted": False}, {"adopted": False}]


def test_a_declared_job_is_no_stub_though_only_stubs_move_into_it(graph: Graph) -> None:
    dag, task = new_id(), new_id()
    heard = run_event("app", parent=(task, "dag.task"))
    root = {"run": {"runId": dag}, "job": {"namespace": "default", "name": "dag"}}
    declared = job_event("dag.task", job_type="TASK")
    send(graph, declared, heard)
    heard["run"]["facets"]["parent"]["root"] = root
    send(graph, heard)
    assert graph.query(
        "MATCH (j:Job {fqn: 'dag.task'}) RETURN j.stub AS stub, j.kind AS kind, j.name AS name"
    ) == [{"stub": False, "kind": "task", "name": "dag.task"}]


def test_a_parent_that_only_was_heard_of_is_a_stub_until_it_reports(graph: Graph) -> None:
    dag = new_id()
    send(graph, run_event("task", parent=(dag, "dag")))
    stub = "MATCH (j:Job {fqn: 'dag'})-[:HAS_RUN]->(r) RETURN j.stub AS job, r.stub AS run"
    assert graph.query(stub) == [{"job": True, "run": True}]
    send(graph, run_event("dag", "START", run_id=dag))
    assert graph.query(stub) == [{"job": False, "run": False}]


def test_a_cycle_of_parents_is_kept_and_never_walked_for_ever(graph: Graph) -> None:
    one, two = new_id(), new_id()
    send(
        graph,
        run_event("one", run_id=one, parent=(two, "two")),
        run_event("two", run_id=two, parent=(one, "one")),
    )
    assert names(graph) == ["one", "two"]


def test_counts_move_with_the_runs(graph: Graph) -> None:
    app, dag = new_id(), new_id()
    for _ in range(3):
        send(graph, run_event("app.write", parent=(app, "app"), outputs=GOLD))
    send(graph, run_event("app", run_id=app, parent=(dag, "dag")))
    assert graph.query("MATCH (j:Job)-[p:PRODUCES]->() RETURN j.fqn AS j, p.runs AS n") == [
        {"j": "dag.app.write", "n": 3}
    ]


def test_a_version_is_written_when_its_run_completes_and_not_before(graph: Graph) -> None:
    run_id = new_id()
    written = "MATCH (v:DatasetVersion) RETURN v.written_at IS NOT NULL AS written"
    send(graph, run_event("w", "START", run_id=run_id, outputs=GOLD))
    assert graph.query(written) == [{"written": False}]
    send(graph, run_event("w", "COMPLETE", run_id=run_id))
    assert graph.query(written) == [{"written": True}]


def test_an_event_sent_twice_is_one_node(graph: Graph) -> None:
    event = run_event("a")
    send(graph, event, event)
    assert graph.query("MATCH (e:Event) RETURN count(e) AS n") == [{"n": 1}]


def aliases(graph: Graph) -> list[tuple[str, str]]:
    rows = graph.query("MATCH (a:Alias)-[:NAMES]->(j:Job) RETURN a.name AS old, j.fqn AS now")
    return sorted((row["old"], row["now"]) for row in rows)


def test_a_job_keeps_the_names_that_it_had_while_its_ancestors_were_not_known(
    graph: Graph,
) -> None:
    dag, task, app = (new_id() for _ in range(3))
    send(graph, run_event("app.write", parent=(app, "app")))
    assert aliases(graph) == []
    send(graph, run_event("app", run_id=app, parent=(task, "load")))
    assert aliases(graph) == [("app", "load.app"), ("app.write", "load.app.write")]
    send(graph, run_event("load", run_id=task, parent=(dag, "dag")))
    assert aliases(graph) == [
        ("app", "dag.load.app"),
        ("app.write", "dag.load.app.write"),
        ("load", "dag.load"),
        ("load.app", "dag.load.app"),
        ("load.app.write", "dag.load.app.write"),
    ]


def test_many_runs_move_in_bounded_parts(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "MOST_MOVES", 10)
    alone = "MATCH (j:Job {key: $key})-[:HAS_RUN]->(r) RETURN count(r) AS n"
    key = {"key": job_key(None, "default", "dag.task")}
    graph.write(record, extract([run_event("dag.task", outputs=GOLD) for _ in range(25)]))
    send(graph, run_event("dag.task", parent=(new_id(), "dag"), outputs=GOLD))
    assert graph.query(alone, key) == [{"n": 15}]
    while graph.write(settle):
        pass
    assert names(graph) == ["dag", "dag.task"]
    assert graph.query("MATCH (:Job {fqn: 'dag.task'})-[p:PRODUCES]->() RETURN p.runs AS n") == [
        {"n": 26}
    ]


def chain(levels: int, size: int) -> list[dict[str, Any]]:
    """Events of runs, each the parent of the next, with names of a size."""
    ids = [new_id() for _ in range(levels)]
    labels = [f"{number}-".ljust(size, "x") for number in range(levels)]
    parents = [None, *zip(ids, labels, strict=True)]
    return [
        run_event(label, run_id=id_, parent=parent)
        for label, id_, parent in zip(labels, ids, parents[:-1], strict=True)
    ]


def test_a_deep_hierarchy_that_reports_upwards_moves_a_few_levels_at_a_time(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hierarchy, "_MOST_LEVELS", 3)
    *upper, last = reversed(chain(14, size=4))
    send(graph, *upper)
    before = set(names(graph))
    send(graph, last)
    assert len(set(names(graph)) & before) >= 10
    while graph.write(settle):
        pass
    assert [name.count(".") for name in sorted(names(graph), key=len)] == [*range(14)]
    assert levels(graph, "Run") == levels(graph, "Job") == 14
    assert graph.query("MATCH (r:Run) WHERE r.unsettled_after IS NOT NULL RETURN r.id AS id") == []


@pytest.mark.parametrize("is_upwards", [False, True])
def test_a_batch_of_many_levels_with_the_longest_names_fits_in_a_transaction(
    graph: Graph, is_upwards: bool
) -> None:
    events = chain(300, size=1_990)
    graph.write(record, extract(events[::-1] if is_upwards else events))
    (row,) = graph.query("MATCH (j:Job) RETURN count(j) AS jobs, max(size(j.fqn)) AS longest")
    assert row["jobs"] == 300
    assert row["longest"] <= 4_000
    assert graph.query("MATCH (a:Alias) RETURN count(a) <= 300 AS few") == [{"few": True}]


def test_a_chain_of_a_thousand_levels_is_a_hierarchy(graph: Graph) -> None:
    events = chain(1_000, size=40)
    for start in range(0, 1_000, 250):
        graph.write(record, extract(events[start : start + 250]))
    (row,) = graph.query("MATCH (j:Job) RETURN count(j) AS jobs, max(size(j.fqn)) AS longest")
    assert (row["jobs"], row["longest"] <= 4_000) == (1_000, True)
    assert levels(graph, "Job") == 1_000


def test_a_job_that_is_left_by_its_last_run_takes_its_column_lineage_with_it(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moves, "MOST_MOVES", 1)
    dag, task, app, action = (new_id() for _ in range(4))
    writes = run_event("app", run_id=app, parent=(task, "dag.task"), outputs=GOLD)
    source = {"namespace": "file", "name": "/raw", "field": "a"}
    lineage = {"columnLineage": {"fields": {"a": {"inputFields": [source]}}}}
    writes["outputs"][0]["facets"] = lineage
    below = run_event("app.write", run_id=action, parent=(app, "app"))
    send(graph, writes, below, run_event("dag.task", run_id=task, parent=(dag, "dag")))
    while graph.write(settle):
        pass
    (row,) = graph.query(
        "MATCH ()-[x:DERIVED_FROM]->() OPTIONAL MATCH (j:Job {key: x.job_key}) "
        "RETURN collect(j.fqn) AS jobs, count(x) AS links"
    )
    assert row == {"jobs": ["dag.task.app"], "links": 1}


def test_what_is_left_of_a_move_is_read_once_no_other_move_can_change_it(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moves, "MOST_MOVES", 10)
    dag, task, app = (new_id() for _ in range(3))
    graph.write(record, extract([run_event("w", parent=(app, "app")) for _ in range(25)]))
    send(graph, run_event("app", run_id=app, parent=(task, "load")))
    above = extract([run_event("load", run_id=task, parent=(dag, "dag"))])
    overlap(graph, lambda tx: record(tx, above), settle)
    while graph.write(settle):
        pass
    assert names(graph) == ["dag", "dag.load", "dag.load.app", "dag.load.app.w"]


def test_two_that_finish_moves_of_a_job_that_one_deletes_do_not_fail(graph: Graph) -> None:
    graph.query("CREATE (:Job {key: 'k', fqn: 'gone', unsettled: 'FLOWS'})", write=True)
    calls = []

    def other(tx: Transaction) -> bool:
        calls.append(tx)
        return settle(tx)

    assert overlap(graph, settle, other)
    assert len(calls) == 1
    assert not graph.write(settle)


def test_a_declared_job_keeps_its_tags_when_a_large_move_takes_its_place(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moves, "MOST_MOVES", 2)
    app = new_id()
    send(graph, job_event("dag.app.w", job_type="TASK"))
    tag = "MATCH (j:Job {fqn: 'dag.app.w'}) CREATE (j)-[:TAGGED]->(:Tag {name: 'gold'})"
    graph.query(tag, write=True)
    children = [run_event("w", parent=(app, "app")) for _ in range(5)]
    send(graph, *children, run_event("app", run_id=app, parent=(new_id(), "dag")))
    while graph.write(settle):
        pass
    tagged = "MATCH (j:Job)-[:TAGGED]->() RETURN j.name AS name, j.fqn AS fqn"
    assert graph.query(tagged) == [{"name": "w", "fqn": "dag.app.w"}]
    assert names(graph) == ["dag", "dag.app", "dag.app.w"]
