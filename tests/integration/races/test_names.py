"""Jobs of one name that two transactions report at the same time."""

import pytest

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.reactions.commit import commit
from tests.events import job_event, run_event
from tests.integration.races.overlap import overlap

PARENT = new_id()


@pytest.fixture(autouse=True)
def parent(graph: Graph) -> None:
    graph.write(commit, extract([run_event("dag", "START", run_id=PARENT)]))


def report_child(tx: Transaction) -> None:
    commit(tx, extract([run_event("dag.task", "START", parent=(PARENT, "dag"))]))


def report_alone(tx: Transaction) -> None:
    commit(tx, extract([run_event("dag.task", "START")]))


def jobs(graph: Graph) -> list[dict[str, object]]:
    return graph.query(
        "MATCH (j:Job {fqn: 'dag.task'})-[h:HAS_RUN]->(:Run) RETURN j.key AS key, count(h) AS runs"
    )


def test_a_run_without_a_parent_joins_the_job_that_a_child_gets_at_that_moment(
    graph: Graph,
) -> None:
    overlap(graph, report_child, report_alone)
    assert [row["runs"] for row in jobs(graph)] == [2]


def test_a_child_takes_the_run_of_its_name_that_is_reported_at_that_moment(graph: Graph) -> None:
    overlap(graph, report_alone, report_child)
    assert [row["runs"] for row in jobs(graph)] == [2]


def declare(tx: Transaction) -> None:
    commit(tx, extract([job_event("dag.task", job_type="TASK")]))


def declarations(graph: Graph) -> list[dict[str, object]]:
    return graph.query(
        "MATCH (j:Job {fqn: 'dag.task'}) "
        "RETURN COUNT { (j)-[:HAS_RUN]->() } AS runs, "
        "COUNT { (j)-[:HAS_DECLARATION]->() } AS stated"
    )


def test_a_declaration_joins_the_job_that_a_child_gets_at_that_moment(graph: Graph) -> None:
    overlap(graph, report_child, declare)
    assert declarations(graph) == [{"runs": 1, "stated": 1}]


def test_a_child_takes_the_declaration_of_its_name_of_that_moment(graph: Graph) -> None:
    overlap(graph, declare, report_child)
    assert declarations(graph) == [{"runs": 1, "stated": 1}]
