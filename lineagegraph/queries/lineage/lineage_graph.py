"""A lineage graph as a value, and the names of its nodes."""

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
    """A partition value, such as a region, with the state of its newest run."""

    value: str
    state: str


class LineageGraph(msgspec.Struct, frozen=True, kw_only=True):
    """Jobs and datasets, and the data flows between them; edges hold the nodes' keys.

    With `by_column`, datasets have only the relevant columns, and `derivations` connect those.
    `roots` are the keys of the requested nodes. `cut` if there is more than was read. `parts` has
    the partition values of nodes, by key, if runs are grouped by them.
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
        """Return the jobs, by name."""
        return [node for node in self.nodes if isinstance(node, JobRow)]

    @property
    def datasets(self) -> list[DatasetRow]:
        """Return the datasets, by name."""
        return [node for node in self.nodes if isinstance(node, DatasetRow)]


Labels = Mapping[tuple[str, str], str]
"""Details of edges, by the keys of their ends."""


def id_of(node: Node) -> str:
    """Return the node as `job:NAMESPACE:NAME` or `dataset:NAMESPACE:NAME`."""
    kind = "job" if isinstance(node, JobRow) else "dataset"
    return f"{kind}:{node.namespace}:{node.name}"


def node_ids(graph: LineageGraph) -> dict[str, str]:
    """Return the id of each key."""
    return unique_ids({node.key: id_of(node) for node in graph.nodes})


def unique_ids(ids: dict[str, str]) -> dict[str, str]:
    """Return unique ids by key; jobs of one namespace and FQN get their UUIDs appended."""
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
    """Return the short name, followed by the state of each part."""
    parts = ", ".join(
        f"{part.value} {part.state}".strip() for part in graph.parts.get(node.key, ())
    )
    return f"{title_of(node)} ({parts})" if parts else title_of(node)


def subtitle_of(node: Node) -> str:
    """Return the subtitle of a node: a job's kind, or a dataset's namespace and quality."""
    if isinstance(node, JobRow):
        return f"{node.kind or 'job'}{', lineage incomplete' if node.is_incomplete else ''}"
    folder = node.name.rstrip("/").rpartition("/")[0]
    place = f"{node.namespace}:{folder}" if folder else node.namespace
    return f"{place}, quality {node.quality}" if node.quality else place
