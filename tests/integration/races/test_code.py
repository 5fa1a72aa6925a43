"""Functions and environments that retention deletes as they are stored again."""

from collections.abc import Callable

import pytest

from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.admin import retention
from lineagegraph.store.pipelines import task_codes
from lineagegraph.store.runs import environments
from tests.integration.races.overlap import overlap

CODE = {
    "version": "v",
    "sha256": "a",
    "python": "3.11",
    "content": b"x",
    "left_out": [],
    "unnamed": [],
    "signature": None,
}
NODES = """
CREATE (:JobVersion {hash: 'v'})-[:BUILT_FROM]->(:Source {sha256: 's', url: 'file:///s'}),
       (:TaskCode {sha256: 'a', content: 'x'}),
       (:Environment {sha256: 'a', python: '3.11', platform: 'linux', packages: []}),
       (:Run {id: 'r'})
"""
USES = "MATCH (v)-[:HAS_CODE|RAN_IN]->(n) RETURN labels(n)[0] AS label, n.python AS python"
Step = Callable[[Transaction], object]


def delete_codes(tx: Transaction) -> object:
    return retention.delete_task_codes(tx, after="", limit=9, dry_run=False)


def delete_environments(tx: Transaction) -> object:
    return retention.delete_environments(tx, kept="", after="", limit=9, dry_run=False)


def store_code(tx: Transaction) -> None:
    task_codes.merge_task_codes(tx, rows=[CODE])


def store_environment(tx: Transaction) -> None:
    environments.merge_environment(
        tx, run_id="r", sha256="a", python="3.11", platform="linux", packages=[]
    )


@pytest.mark.parametrize(
    ("store", "delete", "label"),
    [
        (store_code, delete_codes, "TaskCode"),
        (store_environment, delete_environments, "Environment"),
    ],
)
@pytest.mark.parametrize("is_stored_first", [True, False])
def test_it_stays(
    graph: Graph, store: Step, delete: Step, label: str, is_stored_first: bool
) -> None:
    graph.query(NODES, write=True)
    overlap(graph, *((store, delete) if is_stored_first else (delete, store)))
    assert graph.query(USES) == [{"label": label, "python": "3.11"}]
