"""Reads beside writes: Neo4j lets a statement see what others commit while it runs."""

import msgspec
import pytest

from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.jobs import details
from lineagegraph.store.jobs.details import JobDetailRow

_HALF = "CREATE (:Job {key: 'k', namespace: 'n', fqn: 'j', simple_name: 'j'})"


def test_a_job_that_is_deleted_while_it_is_read_is_left_out(graph: Graph) -> None:
    """Such a job has been found, and has no properties any more."""
    graph.query(_HALF, write=True)
    attempts = []

    def work(tx: Transaction) -> list[JobDetailRow]:
        if attempts:
            graph.query("MATCH (j:Job) DELETE j", write=True)
        attempts.append(1)
        return details.list_jobs(tx, keys=["k"], runs=1)

    assert graph.read(work) == []
    assert len(attempts) == 2


def test_what_is_wrong_and_stays_so_is_an_error(graph: Graph) -> None:
    graph.query(_HALF, write=True)
    with pytest.raises(msgspec.ValidationError):
        graph.read(details.list_jobs, keys=["k"], runs=1)
