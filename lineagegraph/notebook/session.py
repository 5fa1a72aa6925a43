"""One connection, and what people ask of it."""

from typing import Any, Self

import msgspec
import pandas as pd

from lineagegraph.explore import (
    LineageGraph,
    read_emits,
    read_runs,
    to_mermaid,
    to_svg,
    walk_lineage,
)
from lineagegraph.graph import Graph
from lineagegraph.notebook.widgets import FreshnessBoard
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.connect import open_graph


class LineageView:
    """A lineage graph that notebooks draw; `graph` has its nodes and edges."""

    def __init__(self, graph: LineageGraph) -> None:
        self.graph = graph

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": to_mermaid(self.graph), "image/svg+xml": to_svg(self.graph)}


class Session:
    """A connection to the graph, for exploring; it never writes."""

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._settings = settings

    def cypher(self, text: str, **parameters: Any) -> pd.DataFrame:
        """Return the rows of a query; the server refuses one that would write."""
        return pd.DataFrame(self._graph.query(text, parameters))

    def lineage(
        self, node: str, *, up: int = 20, down: int = 20, columns: bool = False
    ) -> LineageView:
        """Return what a job or dataset is made from, and what is made from it."""
        return LineageView(walk_lineage(self._graph, node, up=up, down=down, columns=columns))

    def runs(self, job: str, limit: int = 20) -> pd.DataFrame:
        """Return the newest runs of a job."""
        rows = read_runs(self._graph, job, limit=limit)
        return pd.DataFrame([msgspec.structs.asdict(row) for row in rows])

    def emits(self, job: str) -> pd.DataFrame:
        """Return the values that a job's tasks declare to emit, with type and task."""
        rows = read_emits(self._graph, job)
        return pd.DataFrame([msgspec.structs.asdict(row) for row in rows])

    def freshness(self) -> FreshnessBoard:
        """Show what is fresh, what is not, and why."""
        return FreshnessBoard(self._graph, self._settings)

    def close(self) -> None:
        """Close the connection."""
        self._graph.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def connect() -> Session:
    """Connect to the graph that the settings name, as the command line does."""
    settings = load_settings()
    return Session(open_graph(settings), settings)
