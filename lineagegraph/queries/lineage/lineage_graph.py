"""A piece of lineage as a value: what there is in it, and how to call it."""

from collections import Counter
from collections.abc import Mapping
from uuid import UUID

import msgspec

from lineagegraph.store.lineage.lineage import ColumnRow, DatasetRow, DerivationRow, FlowRow, JobRow

Node = JobRow | DatasetRow

__all__ = [
    "ColumnRow",
    "DatasetRow",
    "DerivationRow",
    "FlowRow",
    "JobRow",
    "Labels",
    "LineageGraph",
    "Node",
    "Part",
]


class Part(msgspec.Struct, frozen=True):
    """A part of the data, as a region, with the state of the newest run for it."""

    value: str
    state: str


class LineageGraph(msgspec.Struct, frozen=True, kw_only=True):
    """Jobs and datasets, and the data that flows between them; edges hold the nodes' keys.

    With `by_column`, datasets have only the columns that matter, and `derivations` joins those.
    `roots` are the keys of what was asked for. `cut` says that there is more than was read.
    `parts` has the parts of nodes, by key, where runs are told apart by them.
    """

    nodes: tuple[Node, ...]
    edges: tuple[FlowRow, ...]
    derivations: tuple[DerivationRow, ...] = ()
    roots: tuple[str, ...] = ()
    by_column: bool = False
    cut: bool = False
    parts: dict[str, tuple[Part, ...]] = {}

    @property
    def jobs(self) -> list[JobRow]:
        """The jobs, by name."""
        return [node for node in self.nodes if isinstance(node, JobRow)]

    @property
    def datasets(self) -> list[DatasetRow]:
        """The datasets, by name."""
        return [node for node in self.nodes if isinstance(node, DatasetRow)]


Labels = Mapping[tuple[str, str], str]
"""What is said of edges, by the keys of their ends."""


def id_of(node: Node) -> str:
    """Return the node as `job:NAMESPACE:NAME` or `dataset:NAMESPACE:NAME`."""
    kind = "job" if isinstance(node, JobRow) else "dataset"
    return f"{kind}:{node.namespace}:{node.name}"


def node_ids(graph: LineageGraph) -> dict[str, str]:
    """Return the id of each key."""
    return told_apart({node.key: id_of(node) for node in graph.nodes})


def told_apart(ids: dict[str, str]) -> dict[str, str]:
    """Return ids by key; jobs of one namespace and FQN are told apart by their UUIDs."""
    counts = Counter(ids.values())
    return {key: f"{id_}#{UUID(key)}" if counts[id_] > 1 else id_ for key, id_ in ids.items()}


def frame_of(node: Node) -> str | None:
    """Return the FQN of the topmost job above a job."""
    return node.ancestors[0].name if isinstance(node, JobRow) and node.ancestors else None


def title_of(node: Node) -> str:
    """Return a short name: a job's below its topmost parent, the last part of a dataset's."""
    if isinstance(node, JobRow):
        below = [job.simple_name for job in node.ancestors[1:]]
        return " › ".join([*below, node.simple_name])
    return node.name.rstrip("/").rpartition("/")[2] or node.name


def label_of(graph: LineageGraph, node: Node) -> str:
    """Return the short name, with the state of each part behind it."""
    parts = ", ".join(
        f"{part.value} {part.state}".strip() for part in graph.parts.get(node.key, ())
    )
    return f"{title_of(node)} ({parts})" if parts else title_of(node)


def place_of(node: Node) -> str:
    """Return what stands beside the short name: a job's kind, where a dataset is."""
    if isinstance(node, JobRow):
        return node.kind or "job"
    folder = node.name.rstrip("/").rpartition("/")[0]
    return f"{node.namespace}:{folder}" if folder else node.namespace
