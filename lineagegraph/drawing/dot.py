"""A lineage graph in the DOT language of Graphviz."""

from collections.abc import Iterator

from lineagegraph.queries.lineage.lineage_graph import (
    JobRow,
    Labels,
    LineageGraph,
    Node,
    frame_of,
    label_of,
    node_ids,
)
from lineagegraph.text import visible

_HEAD = (
    "digraph lineage {",
    "  rankdir=LR;",
    '  node [fontname="sans-serif", fontsize=11];',
)


def to_dot(graph: LineageGraph, labels: Labels | None = None) -> str:
    """Return the text of a digraph, with pipelines, or datasets by column, as clusters."""
    lines = _columns(graph) if graph.by_column else _flows(graph, labels or {})
    return "\n".join((*_HEAD, *lines, "}")) + "\n"


def _flows(graph: LineageGraph, labels: Labels) -> Iterator[str]:
    ids = {key: quoted(id_) for key, id_ in node_ids(graph).items()}
    frames: dict[str | None, list[Node]] = {}
    for node in graph.nodes:
        frames.setdefault(frame_of(node), []).append(node)
    for number, (frame, nodes) in enumerate(frames.items()):
        lines = [
            f"{ids[node.key]} [label={quoted(label_of(graph, node))}, {_shape(node)}];"
            for node in nodes
        ]
        yield from (
            (f"  {line}" for line in lines) if frame is None else _cluster(number, frame, lines)
        )
    for edge in graph.edges:
        label = labels.get((edge.source, edge.target))
        said = f" [label={quoted(label)}]" if label else ""
        yield f"  {ids[edge.source]} -> {ids[edge.target]}{said};"


def _columns(graph: LineageGraph) -> Iterator[str]:
    ids: dict[str, str] = {}
    nodes = node_ids(graph)
    for number, dataset in enumerate(graph.datasets):
        ids |= {c.key: quoted(f"{nodes[dataset.key]}#{c.name}") for c in dataset.columns}
        lines = [f"{ids[c.key]} [label={quoted(c.name)}, shape=box];" for c in dataset.columns]
        yield from _cluster(number, dataset.name, lines)
    for edge in graph.derivations:
        style = "" if edge.type == "DIRECT" else " [style=dashed]"
        yield f"  {ids[edge.source]} -> {ids[edge.target]}{style};"


def _cluster(number: int, title: str, lines: list[str]) -> list[str]:
    inner = [f"    {line}" for line in (f"label={quoted(title)};", *lines)]
    return [f"  subgraph cluster_{number} {{", *inner, "  }"]


def _shape(node: Node) -> str:
    return "shape=box, style=rounded" if isinstance(node, JobRow) else "shape=cylinder"


def quoted(text: str) -> str:
    """Return a text as a quoted DOT string."""
    return '"' + visible(text.replace("\n", " ")).replace("\\", "\\\\").replace('"', '\\"') + '"'
