"""The lineage explorer: expand, fold, group, search, go back in time, follow a path."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from lineagegraph.drawing.layers import rank_nodes
from lineagegraph.drawing.layout import BoxPosition, Link, Size, lay_out
from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.model.names.keys import field_key
from lineagegraph.model.typed import parse_time
from lineagegraph.neo4j_server import Noun
from lineagegraph.queries.find.find import (
    find_node_or_column,
    list_columns_now,
    list_named_columns,
    node_id,
)
from lineagegraph.queries.freshness.freshness import read_standings, with_causes
from lineagegraph.queries.lineage.column_node import MOST_COLUMNS
from lineagegraph.queries.lineage.columns import BOTH, column_graph
from lineagegraph.queries.lineage.impact import AffectedColumn, read_impact
from lineagegraph.queries.lineage.lineage import EVERYTHING
from lineagegraph.queries.lineage.lineage_graph import JobRow, Node, node_ids, subtitle_of, title_of
from lineagegraph.queries.lineage.neighbourhood import (
    KnownKeys,
    Neighbourhood,
    read_columns,
    read_more,
    read_neighbourhood,
    trace_column,
)
from lineagegraph.queries.lineage.readers import describe_reader, read_readers
from lineagegraph.queries.search.details import read_details
from lineagegraph.queries.search.search import find_nearest
from lineagegraph.store.lineage.lineage import get_first_flow
from lineagegraph.views.describing import DescribingView

NodeLine = tuple[str, str, str, str, bool, str, int, int, int]
AboveLine = tuple[str, str, str, str, int]
ColumnLine = tuple[int, str, str, str]
DerivationLine = tuple[str, str, str, bool]


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of lineage, packed for a page.

    A line of `nodes` has key, id, title, place, whether it is a job, state, number of the job above
    or -1, how many nodes are before, and how many after; one of `above` key, id, title, kind, and
    number of the job above that; one of `columns` number of the dataset, key, name, and type.
    """

    nodes: list[NodeLine]  # nodes that the page does not have
    above: list[AboveLine]  # jobs above these
    edges: list[int]  # source and target of each, as numbers: known nodes first, then `nodes`
    columns: list[ColumnLine]  # columns of datasets
    derivations: list[DerivationLine]  # keys of two columns, how one is made, whether directly
    roots: tuple[str, ...]  # keys of the nodes where the walk began; empty for all
    latest: str | None  # job that ran last, if all was asked for: what is around it if `cut`
    cut: bool  # whether there is more


class ColumnUses(msgspec.Struct, frozen=True):
    """The columns that one is made from, and those made from it; each is cut if there are more."""

    sources: list[str]
    impact: list[str]
    sources_cut: bool
    impact_cut: bool


def pack(found: Neighbourhood, known: Sequence[str] = ()) -> Piece:
    """Return a piece of lineage for a page that has the nodes `known` already."""
    graph, above = found.graph, _Above()
    ids = node_ids(graph)
    counts = {one.key: (one.before, one.after) for one in found.counts}
    new = [node for node in graph.nodes if node.key not in set(known)]
    numbers = {key: n for n, key in enumerate([*known, *(node.key for node in new)])}
    return Piece(
        nodes=[
            _line(node, ids[node.key], above.number(node), *counts.get(node.key, (0, 0)))
            for node in new
        ],
        above=above.lines,
        edges=[numbers[end] for edge in graph.edges for end in (edge.source, edge.target)],
        columns=[
            (numbers[dataset.key], column.key, column.name, column.type or "")
            for dataset in (graph.datasets if graph.by_column else ())
            for column in dataset.columns
        ],
        derivations=[
            (one.source, one.target, one.subtype or one.type, one.type == "DIRECT")
            for one in graph.derivations
        ],
        roots=graph.roots,
        latest=found.latest,
        cut=graph.cut,
    )


class _Above:
    """The ancestors of jobs, each once."""

    def __init__(self) -> None:
        self.lines: list[AboveLine] = []
        self._numbers: dict[str, int] = {}

    def number(self, node: Node) -> int:
        number = -1
        for job in node.ancestors if isinstance(node, JobRow) else ():
            if job.key not in self._numbers:
                self._numbers[job.key] = len(self.lines)
                id_ = f"job:{job.namespace}:{job.name}"
                self.lines.append((job.key, id_, job.simple_name, job.kind or "job", number))
            number = self._numbers[job.key]
        return number


def _line(node: Node, id_: str, above: int, before: int, after: int) -> NodeLine:
    is_job = isinstance(node, JobRow)
    state = (node.state or "").lower() if isinstance(node, JobRow) else ""
    return node.key, id_, title_of(node), subtitle_of(node), is_job, state, above, before, after


_LIMIT = 3000
_HITS = 20
_MOST_BOXES = 10_000
_MOST_LINKS = 50_000
_MOST_BENDS = 1_000_000
_BAD = (FreshState.STALE, FreshState.UNKNOWN)


class ExplorerView(DescribingView):
    """Lineage around a node, piece by piece."""

    def read(self, node: str, up: int, down: int, at: str, limit: int) -> Neighbourhood:
        """Return the lineage around a node, at most `limit` nodes."""
        return read_neighbourhood(
            self._graph, node, up=up, down=down, limit=limit, at=read_time(at)
        )

    def answer_lineage(self, node: str, up: int, down: int, at: str) -> Piece:
        """Return the lineage around a node, or without one all of it."""
        return pack(self.read(node, up, down, at, _LIMIT))

    def answer_more(
        self, key: str, jobs: list[str], datasets: list[str], up: int, down: int, at: str
    ) -> Piece:
        """Return the part of the lineage around another node that the page does not show."""
        known = KnownKeys(tuple(jobs), tuple(datasets))
        found = read_more(self._graph, key, known, up=up, down=down, limit=_LIMIT, at=read_time(at))
        return pack(found, (*jobs, *datasets))

    def answer_layout(
        self, boxes: list[tuple[float, float]], links: list[tuple[int, int, float, float]]
    ) -> dict[str, Any]:
        """Return the positions of boxes of a width and height, and the lines between them.

        A link has the numbers of its boxes, and how far below their middles it leaves and enters.
        """
        check_drawing(len(boxes), [(link[0], link[1]) for link in links])
        sizes = {str(number): Size(*box) for number, box in enumerate(boxes)}
        ends = [Link(str(source), str(target), *below) for source, target, *below in links]
        middles, routes, width, height = lay_out(sizes, ends)
        return {
            "middles": _rounded(middles.values()),
            "routes": [_rounded(route) for route in routes],
            "width": width,
            "height": height,
        }

    def answer_columns(self, datasets: list[str]) -> Piece:
        """Return the columns of some datasets, and what joins them."""
        return pack(Neighbourhood(read_columns(self._graph, datasets)), datasets)

    def answer_trace(self, column: str) -> Piece:
        """Return all columns upstream and downstream of a column."""
        return pack(trace_column(self._graph, column, _LIMIT))

    def answer_find(self, text: str) -> str:
        """Return the id of the node or column that a person typed."""
        found = find_node_or_column(self._graph, text)
        return node_id(found.node) + (f"#{found.column}" if found.column else "")

    def answer_search(self, text: str) -> list[str]:
        """Return the ids of the first jobs and datasets with a text in their names."""
        return [one.node for one in find_nearest(self._graph, text, _HITS)]

    def answer_hits(self, text: str) -> list[dict[str, str]]:
        """Return the same jobs and datasets with their kinds, namespaces and names."""
        found = find_nearest(self._graph, text, _HITS)
        return [
            {
                "kind": one.kind.value,
                "node": one.node,
                "namespace": one.namespace,
                "name": one.name,
            }
            for one in found
        ]

    def answer_details(self, key: str, at: str) -> dict[str, Any]:
        """Return the details of a node, one per line, and the columns that a dataset has now."""
        found = read_details(self._graph, key, read_time(at), self._settings.zone)
        noun: Noun = "job" if found.is_job else "dataset"
        known = [] if found.is_job or at else list_columns_now(self._graph, key)
        return {
            "lines": found.lines,
            "url": self._browser_link(noun, key),
            "columns": known,
            "tags": found.tags,
            "column_tags": found.column_tags,
        }

    def answer_column(self, key: str, column: str) -> ColumnUses:
        """Return the columns that one of a dataset is made from, and those made from it."""
        start = self._column_key(key, column)
        found = self._graph.read(column_graph, [start], EVERYTHING, 0, BOTH, MOST_COLUMNS)
        sources = [
            f"{dataset.name}#{one.name}"
            for dataset in found.datasets
            for one in dataset.columns
            if one.key not in found.roots
        ]
        impact = read_impact(self._graph, start)
        made = [_made(one) for one in impact.columns]
        return ColumnUses(sources, made, sources_cut=found.cut, impact_cut=impact.cut)

    def _column_key(self, dataset: str, column: str) -> str:
        """Return the key of a column, which may be known under another name of a dataset only."""
        named = list_named_columns(self._graph, dataset, column)
        return named[0].key if named else field_key(dataset, column)

    def answer_readers(self, key: str, column: str = "") -> list[str]:
        """Return the readers of a dataset, or of one of its columns, one per line."""
        if read_details(self._graph, key).is_job:
            return []
        of = self._column_key(key, column) if column else None
        return [describe_reader(one) for one in read_readers(self._graph, key, of)]

    def answer_stale(self) -> list[list[str]]:
        """Return the ids from each stale node to its cause."""
        zone = self._settings.zone
        found = [one for one in read_standings(self._graph, zone) if one.state in _BAD]
        return [
            [one.node, *(step.node for step in one.path)]
            for one in with_causes(self._graph, zone, found)
        ]

    def answer_since(self) -> datetime | None:
        """Return the time of the first flow."""
        return self._graph.read(get_first_flow)


def check_drawing(boxes: int, links: Sequence[tuple[int, int]]) -> None:
    """Raise `ValueError` for a drawing that is too large, or has lines to unknown boxes."""
    if boxes > _MOST_BOXES or len(links) > _MOST_LINKS:
        raise ValueError(f"at most {_MOST_BOXES} boxes and {_MOST_LINKS} links are drawn")
    unknown = next((end for link in links for end in link if not 0 <= end < boxes), None)
    if unknown is not None:
        raise ValueError(f"no box {unknown}: there are {boxes}")
    ranks = rank_nodes(range(boxes), links)
    if sum(abs(ranks[source] - ranks[target]) for source, target in links) > _MOST_BENDS:
        raise ValueError(f"the lines are too long: at most {_MOST_BENDS} layers in all are drawn")


def _made(one: AffectedColumn) -> str:
    how = "" if one.direct else ", filtered or joined by it"
    return f"{one.dataset.name}#{one.column.name}{how}"


def _rounded(points: Iterable[BoxPosition]) -> list[tuple[float, float]]:
    return [(round(x, 1), round(y, 1)) for x, y in points]


def read_time(text: str) -> datetime | None:
    return parse_time(text).astimezone(UTC) if text else None
