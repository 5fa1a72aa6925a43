"""Namespaces that people create."""

from lineagegraph.graph import Graph
from lineagegraph.store.admin import tags
from lineagegraph.store.admin.namespaces import merge_namespace
from lineagegraph.store.admin.tags import TagRow
from lineagegraph.store.datasets.sources import merge_source


def put_namespace(graph: Graph, name: str, owner: str, description: str | None) -> None:
    """Create a namespace, or say anew whose it is; a hidden one is back, without what it had."""
    graph.write(merge_namespace, name=name, owner=owner, description=description, now=None)


def put_source(
    graph: Graph, name: str, type_: str, connection_url: str, description: str | None
) -> None:
    """Create a data source, or say anew what it is and where."""
    graph.write(
        merge_source,
        name=name,
        type=type_,
        connection_url=connection_url,
        description=description,
        now=None,
    )


def put_tag(graph: Graph, name: str, description: str | None) -> TagRow:
    """Make a tag, or describe it anew; without a description it keeps the one that it has."""
    return graph.write(tags.merge_tag, name=name, description=description, now=None)


def attach_tags(graph: Graph, key: str, names: list[str]) -> None:
    """Attach tags to the job, dataset or column of a key; those that do not exist are made."""
    graph.write(tags.link_tags, key=key, names=names, now=None)


def detach_tag(graph: Graph, key: str, name: str) -> None:
    """Take a tag off; one that is not attached does no harm."""
    graph.write(tags.delete_tagged, key=key, name=name)
