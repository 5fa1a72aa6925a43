"""Lineage as text trees, upstream or downstream."""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeVar

import msgspec

from lineagegraph.queries.lineage.lineage_graph import (
    DatasetRow,
    DerivationRow,
    JobRow,
    LineageGraph,
    Node,
)

Direction = Literal["upstream", "downstream"]
S = TypeVar("S")


class Twig(msgspec.Struct, frozen=True):
    """A line of the tree; `seen` if its subtree is printed elsewhere already."""

    kind: Literal["job", "dataset", "column"]
    text: str
    state: str | None = None
    children: list["Twig"] = []
    seen: bool = False


def lineage_trees(graph: LineageGraph, direction: Direction) -> list[Twig]:
    """Return a tree for each root: of columns if the graph is by column, else of nodes."""
    if graph.by_column:
        return list(_column_trees(graph, direction))
    nodes = {node.key: node for node in graph.nodes}
    steps = _steps(((e.source, e.target) for e in graph.edges), direction)
    seen: set[str] = set()

    def twig(key: str) -> tuple[Twig, list[str]]:
        again = key in seen
        seen.add(key)
        below = sorted(steps.get(key, ()), key=lambda one: nodes[one].name)
        return _twig(nodes[key], again and bool(below)), [] if again else below

    return [_grow(root, twig) for root in graph.roots if root in nodes]


def _grow(root: S, make: Callable[[S], tuple[Twig, list[S]]]) -> Twig:
    """Return the tree of a root; `make` returns a line, and the nodes below it.

    A chain may be deeper than Python's calls.
    """
    top, below = make(root)
    branch = [(top, iter(below))]
    while branch:
        twig, rest = branch[-1]
        for step in rest:
            child, below = make(step)
            twig.children.append(child)
            branch.append((child, iter(below)))
            break
        else:
            branch.pop()
    return top


def _steps(pairs: Iterable[tuple[str, str]], direction: Direction) -> dict[str, list[str]]:
    steps: dict[str, list[str]] = {}
    for source, target in pairs:
        before, after = (target, source) if direction == "upstream" else (source, target)
        steps.setdefault(before, []).append(after)
    return steps


def _twig(node: Node, seen: bool) -> Twig:
    is_job = isinstance(node, JobRow)
    text = node.name if is_job else f"{node.namespace}:{node.name}"
    if isinstance(node, JobRow) and node.is_incomplete:
        text += " (lineage incomplete)"
    if isinstance(node, DatasetRow) and node.quality:
        text += f" (quality {node.quality})"
    state = node.state if isinstance(node, JobRow) else None
    return Twig("job" if is_job else "dataset", text, state, seen=seen)


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

    def twig(step: tuple[str, str]) -> tuple[Twig, list[tuple[str, str]]]:
        key, said = step
        again = key in seen
        seen.add(key)
        below = sorted(steps.get(key, ()), key=lambda s: names[s[0]])
        arrow = "← " if direction == "upstream" else "→ "
        text = f"{arrow}{names[key]} ({said})" if said else names[key]
        return Twig("column", text, seen=again and bool(below)), [] if again else below

    for dataset in graph.datasets:
        if dataset.key in graph.roots:
            for column in dataset.columns:
                yield _grow((column.key, ""), twig)


def _how(edge: DerivationRow) -> str:
    return (edge.description or edge.subtype or edge.type).lower()
