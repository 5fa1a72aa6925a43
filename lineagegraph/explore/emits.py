"""What the tasks of a job declare that they emit."""

from lineagegraph.explore.find import find_job
from lineagegraph.graph import Graph
from lineagegraph.store.versions import EmitRow, list_emits


def read_emits(graph: Graph, job: str, namespace: str | None = None) -> list[EmitRow]:
    """Return the values that the tasks of a job's current version declare, by task."""
    return graph.read(list_emits, job_key=find_job(graph, job, namespace).key)
