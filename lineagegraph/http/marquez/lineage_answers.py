"""Lineage as Marquez writes it: nodes, each with its edges."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from operator import itemgetter
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from lineagegraph.http.marquez.dataset_answers import DatasetAnswer, dataset_answer
from lineagegraph.http.marquez.job_answers import JobAnswer, LatestOfValueAnswer, job_answer
from lineagegraph.http.marquez.run_answers import RunAnswer, run_answer
from lineagegraph.http.marquez.version_answers import DatasetVersionAnswer
from lineagegraph.http.plumbing.answers import AnswerStruct, about
from lineagegraph.http.plumbing.kept_nodes import KeptNode
from lineagegraph.queries.lineage.described_lineage import DescribedLineage
from lineagegraph.queries.lineage.lineage_graph import unique_ids
from lineagegraph.store.lineage.lineage import FlowRow


class EdgeAnswer(AnswerStruct):
    """Data that flows from one node to another, or a job that comes after another, by id."""

    origin: str
    destination: str


class _NodeAnswer(AnswerStruct, kw_only=True, tag_field="type"):
    id: str
    in_edges: list[EdgeAnswer]
    out_edges: list[EdgeAnswer]


class JobNodeAnswer(_NodeAnswer, kw_only=True, tag="JOB"):
    """A job, and its data flow."""

    data: JobAnswer


class DatasetNodeAnswer(_NodeAnswer, kw_only=True, tag="DATASET"):
    """A dataset, and its data flow."""

    data: DatasetAnswer


class RunNodeAnswer(_NodeAnswer, kw_only=True, tag="RUN"):
    """A run, and its data flow."""

    data: RunAnswer


class DatasetVersionNodeAnswer(_NodeAnswer, kw_only=True, tag="DATASET_VERSION"):
    """A version of a dataset, and its data flow."""

    data: DatasetVersionAnswer


LineageNode = JobNodeAnswer | DatasetNodeAnswer | RunNodeAnswer | DatasetVersionNodeAnswer
# Makes a node of `id`, `in_edges` and `out_edges`.
MakeNode = Callable[..., LineageNode]


class LineageAnswer(AnswerStruct):
    """Nodes by id; `truncated` is not Marquez's."""

    graph: list[LineageNode]
    truncated: Annotated[
        bool, about("Whether there is more than the largest graph that is answered.")
    ]


def lineage_answer(found: DescribedLineage, nodes: Mapping[str, KeptNode]) -> LineageAnswer:
    """Return the graph, its nodes by id; `nodes` has the JSON of each by key."""
    ids = unique_ids({key: node.id for key, node in nodes.items()})
    makes = {ids[key]: _make(node) for key, node in nodes.items()}
    return LineageAnswer(node_answers(makes, ids, found.edges), found.cut)


def described_nodes(found: DescribedLineage) -> dict[str, KeptNode]:
    """Return the JSON of nodes with details, by key."""
    nodes = dict[str, KeptNode]()
    for job in found.jobs:
        key, about_job = job.row.key, job_answer(job, _by_value(found, job.row.key))
        nodes[key] = KeptNode(f"job:{job.namespace}:{job.row.name}", True, _raw(about_job))
    for one in found.datasets:
        key, about_dataset = one.row.key, dataset_answer(one, _by_value(found, one.row.key))
        nodes[key] = KeptNode(
            f"dataset:{one.row.namespace}:{one.row.name}", False, _raw(about_dataset)
        )
    return nodes


def _raw(answer: AnswerStruct) -> Raw:
    return Raw(msgspec.json.encode(answer))


def _make(node: KeptNode) -> MakeNode:
    data: Any = node.data  # JSON of an answer stands for it
    return partial(JobNodeAnswer if node.is_job else DatasetNodeAnswer, data=data)


def node_answers(
    nodes: Mapping[str, MakeNode], ids: Mapping[str, str], flows: Iterable[FlowRow]
) -> list[LineageNode]:
    """Return nodes, by id, each with the edges at it; `ids` has the node id of each key."""
    into: dict[str, list[EdgeAnswer]] = {node: [] for node in nodes}
    out: dict[str, list[EdgeAnswer]] = {node: [] for node in nodes}
    for origin, destination in sorted((ids[flow.source], ids[flow.target]) for flow in flows):
        edge = EdgeAnswer(origin, destination)
        out[origin].append(edge)
        into[destination].append(edge)
    return [
        make(id=node, in_edges=into[node], out_edges=out[node])
        for node, make in sorted(nodes.items(), key=itemgetter(0))
    ]


def _by_value(found: DescribedLineage, key: str) -> list[LatestOfValueAnswer] | UnsetType:
    """Return the latest run for each value, if the request groups runs by one."""
    if found.by_value is None:
        return UNSET
    runs = [(one.value, run_answer(one.run)) for one in found.by_value.get(key, ())]
    return [LatestOfValueAnswer(value, run.state, run) for value, run in runs]
