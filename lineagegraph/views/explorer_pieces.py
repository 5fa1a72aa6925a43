"""Lineage as a page of the explorer takes it: short lists, and numbers in place of keys."""

from collections.abc import Sequence

import msgspec

from lineagegraph.queries.lineage.lineage_graph import JobRow, Node, node_ids, place_of, title_of
from lineagegraph.queries.lineage.neighbourhood import Neighbourhood

NodeLine = tuple[str, str, str, str, bool, str, int, int, int]
AboveLine = tuple[str, str, str, str, int]
ColumnLine = tuple[int, str, str, str]
DerivationLine = tuple[str, str, str, bool]


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of lineage.

    `nodes`: key, id, title, place, is a job, state, number of the job above or -1, how many nodes
    are before, how many after. `above`: key, id, title, kind, number of the job above that.
    `edges`: source and target of each, one after the other, as numbers: those of the nodes known
    come first, then those of `nodes`. `columns`: number of the dataset, key, name, type.
    `derivations`: the keys of two columns, how one is computed from the other, whether directly.
    """

    nodes: list[NodeLine]
    above: list[AboveLine]
    edges: list[int]
    columns: list[ColumnLine]
    derivations: list[DerivationLine]
    roots: tuple[str, ...]
    cut: bool


def pack(found: Neighbourhood, known: Sequence[str] = ()) -> Piece:
    """Return a piece of lineage for a page that knows some nodes, by key, already."""
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
        cut=graph.cut,
    )


class _Above:
    """The jobs above others, each once."""

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
    return node.key, id_, title_of(node), place_of(node), is_job, state, above, before, after
