"""The result of a query, to show and to convert."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import msgspec
import pandas as pd

from lineagegraph.errors import NotFound
from lineagegraph.graph import QueryAnswer
from lineagegraph.model.property_graph import Node, Relationship, graph_in
from lineagegraph.notebook.results.drawings import Drawable, drawing_of, is_joined, is_small
from lineagegraph.notebook.results.say import say
from lineagegraph.notebook.results.table import describe_rows, html_table, text_table

if TYPE_CHECKING:
    import networkx as nx
    import polars as pl

Look = Literal["table", "graph"]


class Result:
    """Rows with their columns, and the graph in them, if there is one.

    A notebook shows a graph if it has edges, otherwise a table of the `shown` columns;
    `look` overrides this with `graph` or `table`. `note` is printed below a table.
    """

    def __init__(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        graph: Drawable | None = None,
        *,
        note: str = "",
        look: Look | None = None,
        shown: Sequence[str] = (),
    ) -> None:
        self.columns = tuple(columns)
        self.rows = [tuple(row) for row in rows]
        self.graph = graph
        self.note = note
        self.look = look
        self._shown = tuple(shown) or self.columns

    @classmethod
    def of(cls, answer: QueryAnswer, note: str = "") -> Self:
        """Return the result of a query, with the nodes and relationships that it returned."""
        found = graph_in(value for row in answer.rows for value in row)
        counts = [f"{what.replace('_', ' ')}: {count:,}" for what, count in answer.changes.items()]
        note = ", ".join(filter(None, (*counts, note, *answer.notices)))
        return cls(answer.columns, answer.rows, found if found.nodes else None, note=note)

    @classmethod
    def listing(
        cls,
        rows: Sequence[msgspec.Struct],
        of: type[msgspec.Struct],
        shown: Sequence[str] = (),
        note: str = "",
    ) -> Self:
        """Return rows of one type as a result."""
        found = [msgspec.structs.astuple(row) for row in rows]
        return cls(of.__struct_fields__, found, shown=shown, note=note)

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows by the names of the columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def told(self) -> str:
        """How many rows there are, and the note."""
        return describe_rows(len(self.rows), self._whole_note())

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas frame; of nodes and relationships it has the properties."""
        return pd.DataFrame(self._flat(), columns=list(self.columns))

    def to_polars(self) -> pl.DataFrame:
        """Return the rows as a polars frame; raise `NotFound` if polars is not installed."""
        try:
            import polars as pl
        except ImportError:
            raise NotFound("polars is not installed here: `pip install polars`") from None
        return pl.DataFrame(
            self._flat(), schema=list(self.columns), orient="row", infer_schema_length=None
        )

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """Return the graph for networkx."""
        graph = self._graph()
        network: nx.MultiDiGraph[str] = drawing_of(graph).networkx(graph)
        return network

    def to_mermaid(self) -> str:
        """Return the graph as a Mermaid flowchart."""
        return drawing_of(self._graph()).mermaid(self.graph)

    def to_dot(self) -> str:
        """Return the graph in the language of Graphviz."""
        return drawing_of(self._graph()).dot(self.graph)

    def to_svg(self) -> str:
        """Return the graph as a picture."""
        return drawing_of(self._graph()).svg(self.graph)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return text_table(*self._table())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """A notebook prefers HTML to a picture, so there is only one of them."""
        if self._is_picture():
            drawn = drawing_of(self._graph()).cell_svg(self.graph)
            return {"text/plain": self.to_mermaid(), "image/svg+xml": drawn}
        return {
            "text/plain": repr(self),
            "text/html": html_table(*self._table()),
        }

    def _is_picture(self) -> bool:
        if self.graph is None or self.look == "table":
            return False
        return self.look == "graph" or (is_joined(self.graph) and is_small(self.graph))

    def _graph(self) -> Drawable:
        if self.graph is None:
            raise NotFound("no graph in this result: return nodes, relationships or paths")
        return self.graph

    def _table(self) -> tuple[Sequence[str], list[tuple[Any, ...]], str]:
        places = [self.columns.index(name) for name in self._shown if self._is_told(name)]
        rows = [tuple(row[place] for place in places) for row in self.rows]
        return [self.columns[place] for place in places], rows, self._whole_note()

    def _is_told(self, name: str) -> bool:
        """Return whether a chosen column has a value in any row: empty ones are left out."""
        place = self.columns.index(name)
        chosen = self._shown != self.columns
        return not chosen or not self.rows or any(row[place] is not None for row in self.rows)

    def _whole_note(self) -> str:
        """Return the note for a graph that is too large to draw."""
        if self.graph is None or not is_joined(self.graph) or is_small(self.graph):
            return self.note
        drawn = f"a graph of {len(self.graph.nodes):,} nodes, which to_svg() draws"
        return ", ".join(filter(None, (self.note, drawn)))

    def _flat(self) -> list[tuple[Any, ...]]:
        return [tuple(map(_plain, row)) for row in self.rows]


def _plain(value: Any) -> Any:
    match value:
        case Node() | Relationship():
            return value.properties
        case list() | tuple():
            return [_plain(one) for one in value]
        case msgspec.Struct():
            return say(value)
    return value
