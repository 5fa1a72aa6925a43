"""Namespaces that people create."""

from lineagegraph.graph import Graph
from lineagegraph.store.namespaces import merge_namespace


def put_namespace(graph: Graph, name: str, owner: str, description: str | None) -> None:
    """Create a namespace, or say anew whose it is; a hidden one is back, without what it had."""
    graph.write(merge_namespace, name=name, owner=owner, description=description, now=None)
