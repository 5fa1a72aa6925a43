"""What is said of deleted jobs."""

from typing import Any

import pytest

from lineagegraph.admin.hide import hide_job
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.queries.find.find import describe_deletion, find_job, find_node
from lineagegraph.queries.runs.hierarchy import list_roots, read_job_tree
from tests.events import run_event


def test_a_job_that_is_there_was_not_deleted(graph: Graph) -> None:
    graph.write(record, extract([run_event("load")]))
    assert describe_deletion(graph, "load", "default", is_job=True) is None


def test_a_deleted_job_is_told_from_one_that_never_was(graph: Graph) -> None:
    graph.write(record, extract([run_event("load")]))
    graph.write(hide_job, find_job(graph, "load").key)
    for find, name in ((find_job, "load"), (find_node, "load"), (find_node, "job:default:load")):
        with pytest.raises(NotFound, match="was deleted on"):
            find(graph, name)
    with pytest.raises(NotFound, match="no job 'save'"):
        find_job(graph, "save")
    graph.write(record, extract([run_event("load")]))
    assert find_job(graph, "load").name == "load"


def test_the_jobs_below_a_deleted_one_are_below_the_nearest_that_is_there(graph: Graph) -> None:
    top, middle = run_event("dag"), run_event("dag.group")
    middle["run"]["facets"]["parent"] = _parent(top)
    task = run_event("dag.group.task")
    task["run"]["facets"]["parent"] = _parent(middle)
    graph.write(record, extract([top, middle, task]))
    graph.write(hide_job, find_job(graph, "dag.group").key)
    tree = read_job_tree(graph, "dag")
    assert [(one.item.name, one.item.parent) for one in tree.children] == [
        ("dag.group.task", tree.item.key)
    ]
    graph.write(hide_job, tree.item.key)
    roots = list_roots(graph)
    assert ([job.name for job in roots.jobs], roots.left_out) == (["dag.group.task"], 0)
    assert list_roots(graph, limit=0).left_out == 1


def _parent(event: dict[str, Any]) -> dict[str, Any]:
    job = {key: event["job"][key] for key in ("namespace", "name")}
    return {"run": {"runId": event["run"]["runId"]}, "job": job}
