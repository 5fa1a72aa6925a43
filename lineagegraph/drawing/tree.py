"""Lineage as text trees, upstream or downstream."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from lineagegraph.queries.lineage.lineage_graph import (
    DatasetRow,
    DerivationRow,
    JobRow,
    LineageGraph,
    Node,
)

Direction = Literal["upstream", "downstream"]


class Twig(msgspec.Struct, frozen=True):
    """A line of the tree; `seen` if its subtree is printed elsewhere already."""

    kind: Literal["job", "dataset", "column"]
    text: str
    state: str | None = None
    children: tuple["Twig", ...] = ()
    seen: bool = False


def lineage_trees(graph: LineageGraph, direction: Direction) -> list[Twig]:
    """Return a tree for each root: of columns if the graph is by column, else of nodes."""
    if graph.by_column:
        return list(_column_trees(graph, direction))
    nodes = {node.key: node for node in graph.nodes}
    steps = _steps(((e.source, e.target) for e in graph.edges), direction)
    seen: set[str] = set()
    return [_twig(nodes[root], nodes, steps, seen) for root in graph.roots if root in nodes]


def _steps(pairs: Iterator[tuple[str, str]], direction: Direction) -> dict[str, list[str]]:
    steps: dict[str, list[str]] = {}
    for source, target in pairs:
        before, after = (target, source) if direction == "upstream" else (source, target)
        steps.setdefault(before, []).append(after)
    return steps


def _twig(node: Node, nodes: dict[str, Node], steps: dict[str, list[str]], seen: set[str]) -> Twig:
    is_job = isinstance(node, JobRow)
    text = node.name if is_job else f"{node.namespace}:{node.name}"
    if isinstance(node, JobRow) and node.is_incomplete:
        text += " (lineage incomplete)"
    if isinstance(node, DatasetRow) and node.quality:
        text += f" (quality {node.quality})"
    again = node.key in seen
    seen.add(node.key)
    below = () if again else sorted(steps.get(node.key, ()), key=lambda key: nodes[key].name)
    return Twig(
        "job" if is_job else "dataset",
        text,
        node.state if isinstance(node, JobRow) else None,
        tuple(_twig(nodes[key], nodes, steps, seen) for key in below),
        again and bool(steps.get(node.key)),
    )


def _column_trees(graph: LineageGraph, direction: Direction) -> Iterator[Twig]:
    names = {c.key: f"{d.name}.{c.name}" for d in graph.datasets for c in d.columns}
    jobs = {job.key: job.name for job in graph.jobs}
    steps: dict[str, list[tuple[str, str]]] = {}
    for edge in graph.derivations:
        upstream = direction == "upstream"
        before, after = (edge.target, edge.source) if upstream else (edge.source, edge.target)
        how = " by ".join(filter(None, (_how(edge), jobs.get(edge.job or ""))))
        steps.setdefault(before, []).append((after, how))

    seen = set[str]()

    def twig(key: str, said: str = "") -> Twig:
        again = key in seen
        seen.add(key)
        below = [] if again else sorted(steps.get(key, ()), key=lambda s: names[s[0]])
        arrow = "← " if direction == "upstream" else "→ "
        text = f"{arrow}{names[key]} ({said})" if said else names[key]
        return Twig(
            "column",
            text,
            children=tuple(twig(after, how) for after, how in below),
            seen=again and bool(steps.get(key)),
        )

    for dataset in graph.datasets:
        if dataset.key in graph.roots:
            for column in dataset.columns:
                yield twig(column.key)


def _how(edge: DerivationRow) -> str:
    return (edge.description or edge.subtype or edge.type).lower()
