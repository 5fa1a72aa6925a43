"""What is said of deleted jobs."""

import pytest

from lineagegraph.admin.hide import hide_job
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.queries.find.find import describe_deletion, find_job, find_node
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
