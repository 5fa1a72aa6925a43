"""Lineage at a time has the runs of that time: by partition, the last to end, and marked."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.admin.hide import hide_job
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import dataset_key, job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.jobs.pages import Cut
from lineagegraph.queries.lineage.column_node import (
    ColumnsAsked,
    read_column_lineage,
    resolve_columns,
)
from lineagegraph.queries.lineage.dataset_versions import page_dataset_versions
from lineagegraph.queries.lineage.described_lineage import DescribedLineage, describe_lineage
from lineagegraph.queries.lineage.impact import find_impact
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.lineage.neighbourhood import Neighbourhood, read_neighbourhood
from lineagegraph.queries.lineage.window import Window
from lineagegraph.runs.mark import mark_run, unmark_run
from tests.events import run_event

RAW, GOLD, LATER = ("lake", "raw"), ("lake", "gold"), ("lake", "later")
JOB = job_key(None, "default", "load")


def hour(number: float) -> datetime:
    return datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=number)


def send(graph: Graph, *events: dict[str, Any]) -> None:
    for event in events:
        graph.write(record, extract([event]))


def part(event: dict[str, Any], region: str) -> dict[str, Any]:
    event["run"]["facets"]["lineagegraph"] = {"partition": {"region": region}}
    return event


def load(run: str, kind: str, at: float, *outputs: tuple[str, str]) -> dict[str, Any]:
    return run_event("load", kind, run_id=run, at=hour(at), inputs=(RAW,), outputs=outputs)


def described(graph: Graph, at: float | None = None, **window: Any) -> DescribedLineage:
    chosen = Window(at=None if at is None else hour(at), **window)
    return describe_lineage(graph, JOB, 5, 5, inherit=True, window=chosen, group_by="region")


def by_region(graph: Graph, at: float | None = None) -> dict[str, list[tuple[str, str]]]:
    found = described(graph, at).by_value or {}
    return {key: [(one.value, one.run.row.state) for one in runs] for key, runs in found.items()}


def test_the_run_of_each_region_has_the_state_of_then(graph: Graph) -> None:
    uk, jp, newer = new_id(), new_id(), new_id()
    send(graph, part(load(uk, "START", 1), "UK"), part(load(jp, "FAIL", 2, GOLD), "JP"))
    then = by_region(graph)
    assert then == {
        JOB: [("JP", "FAILED"), ("UK", "RUNNING")],
        dataset_key(*GOLD): [("JP", "FAILED")],
    }
    send(graph, part(load(uk, "COMPLETE", 4, GOLD), "UK"))
    send(graph, part(load(jp, "START", 4), "JP"), part(load(jp, "COMPLETE", 5), "JP"))
    send(graph, part(load(newer, "START", 6), "UK"))
    assert by_region(graph, 3) == then
    assert by_region(graph) == {
        JOB: [("JP", "COMPLETED"), ("UK", "RUNNING")],
        dataset_key(*GOLD): [("JP", "COMPLETED")],
    }


def test_a_run_that_was_only_queued_has_said_nothing_yet(graph: Graph) -> None:
    done, queued = new_id(), new_id()
    send(graph, part(load(done, "COMPLETE", 1, GOLD), "UK"))
    graph.query(
        "MATCH (j:Job {key: $job}) CREATE (j)-[:HAS_RUN]->(:Run {id: $id, job_key: $job, "
        "stub: false, namespace: 'default', name: 'load', state: 'QUEUED', created_at: $at, "
        'partition: \'{"region":"JP"}\'})',
        {"job": JOB, "id": queued, "at": hour(2)},
        write=True,
    )
    assert by_region(graph, 3)[dataset_key(*GOLD)] == [("UK", "COMPLETED")]
    found = walk_lineage(graph, "job:default:load", LineageScope(at=hour(3)))
    assert [one.key for one in found.jobs] == [JOB]


def test_the_latest_run_to_end_then_counts_though_it_began_again(graph: Graph) -> None:
    run, other = new_id(), new_id()
    send(graph, load(run, "START", 1), load(run, "FAIL", 2, GOLD), load(other, "START", 3))
    send(graph, load(run, "START", 5), load(run, "COMPLETE", 7))
    for at, states in ((1.5, []), (4, ["FAILED"]), (6, ["FAILED"]), (8, ["COMPLETED"])):
        (job,) = described(graph, at, latest=True).jobs
        assert [one.row.state for one in job.runs] == states


def columns(event: dict[str, Any], *names: str) -> dict[str, Any]:
    for output in event["outputs"]:
        output["facets"] = {"schema": {"fields": [{"name": name} for name in names]}}
    return event


def columns_of_job(graph: Graph, at: float) -> set[str]:
    asked = resolve_columns(graph, "job:default:load", inherit=True)
    assert isinstance(asked, ColumnsAsked)
    found = read_column_lineage(graph, asked, 5, down=False, at=hour(at)).graph
    return {f"{dataset.name}.{one.name}" for dataset in found.datasets for one in dataset.columns}


def test_the_columns_of_a_job_are_those_of_its_outputs_then(graph: Graph) -> None:
    send(graph, columns(run_event("other", at=hour(0), outputs=(LATER,)), "x"))
    send(graph, columns(load(new_id(), "COMPLETE", 1, GOLD), "a"))
    assert columns_of_job(graph, 2) == {"gold.a"}
    send(graph, columns(load(new_id(), "COMPLETE", 4, LATER), "y"))
    assert columns_of_job(graph, 2) == {"gold.a"}
    assert columns_of_job(graph, 5) == {"gold.a", "later.y"}


def around(graph: Graph, at: float | None = None) -> Neighbourhood:
    then = None if at is None else hour(at)
    return read_neighbourhood(graph, "", up=1, down=1, limit=2, at=then)


def test_the_explorer_shows_the_job_that_had_run_last_then(graph: Graph) -> None:
    run = new_id()
    failed = load(run, "COMPLETE", 1, GOLD)
    failed["run"]["facets"]["extractionError"] = {"totalTasks": 2, "failedTasks": 1, "errors": []}
    send(graph, failed)
    then = around(graph)
    (job,) = then.graph.jobs
    assert (then.latest, job.is_incomplete) == (JOB, True)
    send(graph, load(new_id(), "COMPLETE", 4, GOLD), run_event("late", at=hour(5), inputs=(GOLD,)))
    past = around(graph, 2)
    assert past.latest == JOB
    assert past.graph.nodes == then.graph.nodes
    (newer,) = around(graph, 4.5).graph.jobs
    assert not newer.is_incomplete
    assert around(graph).latest == job_key(None, "default", "late")


def test_a_mark_that_was_taken_back_is_seen_in_between(graph: Graph) -> None:
    run = new_id()
    send(graph, load(run, "FAIL", 1, GOLD))
    mark_run(graph, run, RunState("COMPLETED"), "seen", author="ann")
    between = datetime.now(UTC)
    marked = written(graph, None)
    unmark_run(graph, run)
    assert written(graph, None) != marked
    assert written(graph, between) == marked


def written(graph: Graph, at: datetime | None) -> list[tuple[Any, ...]]:
    found = describe_lineage(graph, JOB, 5, 5, inherit=True, window=Window(at=at))
    states = [(job.row.name, [run.row.state for run in job.runs]) for job in found.jobs]
    return [*states, *((one.row.name, one.row.written_at) for one in found.datasets)]


def test_a_namespace_at_a_time_has_nothing_that_came_later(graph: Graph) -> None:
    send(graph, load(new_id(), "COMPLETE", 1, GOLD), run_event("alone", at=hour(2)))
    send(graph, run_event("late", at=hour(5), inputs=(GOLD,), outputs=(LATER,)))
    for namespace, names in (("default", {"load", "alone", "gold", "raw"}), ("lake", {"load"})):
        found = walk_lineage(graph, f"namespace:{namespace}", LineageScope(at=hour(3)))
        assert names <= {node.name for node in found.nodes} <= names | {"gold", "raw"}
    whole = walk_lineage(graph, "namespace:default", LineageScope())
    assert {"late", "later"} <= {node.name for node in whole.nodes}


def test_a_deleted_job_is_in_no_impact_of_a_column(graph: Graph) -> None:
    event = columns(load(new_id(), "COMPLETE", 1, GOLD), "a")
    sources = [{"namespace": RAW[0], "name": RAW[1], "field": "x"}]
    event["outputs"][0]["facets"]["columnLineage"] = {"fields": {"a": {"inputFields": sources}}}
    send(graph, event)
    assert [one.job.name for one in find_impact(graph, "raw#x").jobs] == ["load"]
    graph.write(hide_job, JOB)
    found = find_impact(graph, "raw#x")
    assert (found.jobs, [one.path for one in found.columns]) == ((), [()])


def test_pages_of_versions_with_and_without_a_run_are_parts_of_one_list(graph: Graph) -> None:
    send(graph, *(load(new_id(), "COMPLETE", at, GOLD) for at in (1, 3, 5, 7)))
    for at in (2, 6, 8):
        stated = {"fields": [{"name": f"c{at}"}]}
        dataset = {"namespace": GOLD[0], "name": GOLD[1], "facets": {"schema": stated}}
        send(graph, {"eventTime": hour(at).isoformat(), "dataset": dataset, "producer": "x:y"})
    whole = keys_of_page(graph, 0, 100)
    assert len(whole) == 7
    for offset in range(9):
        for limit in range(4):
            assert keys_of_page(graph, offset, limit) == whole[offset : offset + limit]


def keys_of_page(graph: Graph, offset: int, limit: int) -> list[str]:
    page = page_dataset_versions(graph, *GOLD, True, Cut(limit, offset))
    return [one.row.key for one in page.items]


@pytest.mark.parametrize("node", ["job:default:load", "namespace:default"])
def test_pipelines_in_place_of_their_tasks_have_the_states_of_then(graph: Graph, node: str) -> None:
    run, task = new_id(), new_id()
    inner = run_event("load.copy", run_id=task, at=hour(1), outputs=(GOLD,), parent=(run, "load"))
    send(graph, load(run, "START", 1), inner, load(run, "FAIL", 2), load(run, "START", 4))
    send(graph, load(run, "COMPLETE", 4))
    for at, state in ((3, "FAILED"), (5, "COMPLETED")):
        found = walk_lineage(graph, node, LineageScope(level="pipeline", at=hour(at)))
        assert [(one.name, one.state) for one in found.jobs] == [("load", state)]
