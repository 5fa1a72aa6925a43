"""A lineage graph as a Mermaid flowchart."""

from collections.abc import Iterator

from lineagegraph.queries.lineage.lineage_graph import (
    JobRow,
    Labels,
    LineageGraph,
    Node,
    frame_of,
    label_of,
)
from lineagegraph.text import visible


def to_mermaid(graph: LineageGraph, labels: Labels | None = None) -> str:
    """Return the text of a flowchart, with pipelines, or datasets by column, as subgraphs."""
    lines = _columns(graph) if graph.by_column else _flows(graph, labels or {})
    return "\n".join(("flowchart LR", *lines)) + "\n"


def _flows(graph: LineageGraph, labels: Labels) -> Iterator[str]:
    ids = {node.key: f"n{number}" for number, node in enumerate(graph.nodes)}
    frames: dict[str | None, list[Node]] = {}
    for node in graph.nodes:
        frames.setdefault(frame_of(node), []).append(node)
    for number, (frame, nodes) in enumerate(frames.items()):
        lines = [f"{ids[node.key]}{_shape(graph, node)}" for node in nodes]
        yield from (
            (f"  {line}" for line in lines)
            if frame is None
            else _subgraph(f"f{number}", frame, lines)
        )
    for edge in graph.edges:
        label = labels.get((edge.source, edge.target))
        said = f"|{quoted(label)}|" if label else ""
        yield f"  {ids[edge.source]} -->{said} {ids[edge.target]}"


def _columns(graph: LineageGraph) -> Iterator[str]:
    ids: dict[str, str] = {}
    for number, dataset in enumerate(graph.datasets):
        columns = {c.key: f"c{number}_{place}" for place, c in enumerate(dataset.columns)}
        lines = [f"{columns[c.key]}[{quoted(c.name)}]" for c in dataset.columns]
        yield from _subgraph(f"d{number}", dataset.name, lines)
        ids |= columns
    for edge in graph.derivations:
        arrow = "-->" if edge.type == "DIRECT" else "-.->"
        yield f"  {ids[edge.source]} {arrow} {ids[edge.target]}"


def _subgraph(name: str, title: str, lines: list[str]) -> list[str]:
    return [f"  subgraph {name}[{quoted(title)}]", *(f"    {line}" for line in lines), "  end"]


def _shape(graph: LineageGraph, node: Node) -> str:
    label = quoted(label_of(graph, node))
    return f"([{label}])" if isinstance(node, JobRow) else f"[({label})]"


def quoted(text: str) -> str:
    """Return a text as a quoted Mermaid string."""
    for character, entity in (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;")):
        text = text.replace(character, entity)
    return '"' + visible(" ".join(text.split())) + '"'
