"""Jobs, datasets and namespaces hidden from all reads, until an event names them again."""

from lineagegraph.graph import Graph
from lineagegraph.store.admin import hiding


def hide_job(graph: Graph, key: str) -> None:
    """Hide the job of a key, and none of those below it."""
    graph.write(hiding.set_job, key=key, now=None)


def hide_dataset(graph: Graph, key: str) -> None:
    """Hide the dataset of a key."""
    graph.write(hiding.set_dataset, key=key, now=None)


def hide_namespace(graph: Graph, name: str, inherit: bool) -> None:
    """Hide a namespace, its datasets, and its jobs: its own, and those that are served in it."""
    graph.write(hiding.set_namespace, name=name, inherit=inherit, now=None)
