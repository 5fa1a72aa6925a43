"""Lineage as Marquez writes it: nodes, each with its edges."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from operator import itemgetter
from typing import Annotated

from msgspec import UNSET, UnsetType

from lineagegraph.http.marquez.dataset_answers import DatasetAnswer, dataset_answer
from lineagegraph.http.marquez.job_answers import JobAnswer, LatestOfValueAnswer, job_answer
from lineagegraph.http.marquez.run_answers import RunAnswer, run_answer
from lineagegraph.http.marquez.version_answers import DatasetVersionAnswer
from lineagegraph.http.plumbing.answers import AnswerStruct, about
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


def lineage_answer(found: DescribedLineage) -> LineageAnswer:
    """Return the graph, its nodes by id."""
    ids = _ids(found)
    nodes: dict[str, MakeNode] = {}
    for job in found.jobs:
        about_job = job_answer(job, _by_value(found, job.row.key))
        nodes[ids[job.row.key]] = partial(JobNodeAnswer, data=about_job)
    for one in found.datasets:
        about_dataset = dataset_answer(one, _by_value(found, one.row.key))
        nodes[ids[one.row.key]] = partial(DatasetNodeAnswer, data=about_dataset)
    return LineageAnswer(node_answers(nodes, ids, found.edges), found.cut)


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


def _ids(found: DescribedLineage) -> dict[str, str]:
    jobs = {job.row.key: f"job:{job.namespace}:{job.row.name}" for job in found.jobs}
    rows = (one.row for one in found.datasets)
    return unique_ids(jobs | {row.key: f"dataset:{row.namespace}:{row.name}" for row in rows})


def _by_value(found: DescribedLineage, key: str) -> list[LatestOfValueAnswer] | UnsetType:
    """Return the latest run for each value, if the request groups runs by one."""
    if found.by_value is None:
        return UNSET
    runs = [(one.value, run_answer(one.run)) for one in found.by_value.get(key, ())]
    return [LatestOfValueAnswer(value, run.state, run) for value, run in runs]
