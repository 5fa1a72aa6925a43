"""Looks at the runs of submitted programs."""

from pathlib import Path

from lineagegraph.graph import Graph

_FLOWS = """
MATCH (task:Job {fqn: $task})-[:HAS_RUN]->(:Run)-[:PARENT_OF*1..3]->(r:Run)
MATCH (r)-[:WRITES]->(:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset)
OPTIONAL MATCH (r)-[:READS]->(source:Dataset)
RETURN DISTINCT d.name AS target, source.name AS source ORDER BY target
"""
_OPEN = """
MATCH (task:Job {fqn: $task})-[:HAS_RUN]->(:Run)-[:PARENT_OF*0..3]->(r:Run)
WHERE r.state IN ['PENDING', 'WAITING', 'RUNNING']
RETURN r.id AS id
"""
_RUNS = "MATCH (:Job {fqn: $task})-[:HAS_RUN]->(r:Run) RETURN r.id AS id, r.error AS error"


def task_run(graph: Graph, pipeline: str) -> dict[str, str]:
    """Return the id and the error of the only run of a pipeline's task `job`."""
    (row,) = graph.query(_RUNS, {"task": f"{pipeline}.job"})
    return dict(row)


def error(graph: Graph, pipeline: str) -> str:
    return str(task_run(graph, pipeline)["error"])


def has_open_runs(graph: Graph, pipeline: str) -> bool:
    return bool(graph.query(_OPEN, {"task": f"{pipeline}.job"}))


def assert_lineage(graph: Graph, folder: Path, pipeline: str) -> None:
    """Assert that the task read the orders, wrote the folder of its name, and is over."""
    assert [*graph.query(_FLOWS, {"task": f"{pipeline}.job"})] == [
        {"target": f"{folder}/{pipeline}", "source": f"{folder}/orders.csv"}
    ]
    assert not has_open_runs(graph, pipeline)
