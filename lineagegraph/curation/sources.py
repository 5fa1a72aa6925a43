"""Data sources that people create."""

from lineagegraph.graph import Graph
from lineagegraph.store.sources import merge_source


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
