"""Tags made, attached and taken off again."""

from lineagegraph.graph import Graph
from lineagegraph.store import tags
from lineagegraph.store.tags import TagRow


def put_tag(graph: Graph, name: str, description: str | None) -> TagRow:
    """Make a tag, or describe it anew; without a description it keeps the one that it has."""
    return graph.write(tags.merge_tag, name=name, description=description, now=None)


def attach_tags(graph: Graph, key: str, names: list[str]) -> None:
    """Attach tags to the job, dataset or column of a key; those that do not exist are made."""
    graph.write(tags.link_tags, key=key, names=names, now=None)


def detach_tag(graph: Graph, key: str, name: str) -> None:
    """Take a tag off; one that is not attached does no harm."""
    graph.write(tags.delete_tagged, key=key, name=name)
