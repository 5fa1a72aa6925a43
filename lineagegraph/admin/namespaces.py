"""Namespaces that people create."""

from functools import partial

from lineagegraph.graph import Graph
from lineagegraph.secrets import mask, mask_text
from lineagegraph.store.admin import tags
from lineagegraph.store.admin.audit import make_audited
from lineagegraph.store.admin.namespaces import merge_namespace
from lineagegraph.store.admin.tags import TagRow
from lineagegraph.store.datasets.sources import merge_source


def put_namespace(graph: Graph, name: str, owner: str, description: str | None) -> None:
    """Create a namespace or change its owner; a hidden one returns empty."""
    change = partial(
        merge_namespace, name=name, owner=owner, description=mask(description), now=None
    )
    graph.write(make_audited, "namespace.set", name, change)


def put_source(
    graph: Graph, name: str, type_: str, connection_url: str, description: str | None
) -> None:
    """Create or change a data source; credentials in its URL are not kept."""
    change = partial(
        merge_source,
        name=name,
        type=type_,
        connection_url=mask_text(connection_url),
        description=mask(description),
        now=None,
    )
    graph.write(make_audited, "source.set", name, change)


def put_tag(graph: Graph, name: str, description: str | None) -> TagRow:
    """Create a tag or change its description; None keeps the description."""
    change = partial(tags.merge_tag, name=name, description=mask(description), now=None)
    return graph.write(make_audited, "tag.set", name, change)


def attach_tags(graph: Graph, key: str, names: list[str]) -> None:
    """Attach tags to the job, dataset or column of a key; those that do not exist are made."""
    change = partial(tags.link_tags, key=key, names=names, now=None)
    graph.write(make_audited, "tag.attach", key, change, kind="tags")


def detach_tag(graph: Graph, key: str, name: str) -> None:
    """Take a tag off; one that is not attached does no harm."""
    change = partial(tags.delete_tagged, key=key, name=name)
    graph.write(make_audited, "tag.detach", key, change, kind="tags")
