"""The lineage of one run or one version of a dataset, and the route of upstream runs."""

import re
from functools import partial
from typing import Annotated
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.marquez.graph_answer import depth, graph_answer
from lineagegraph.http.marquez.lineage_answers import (
    DatasetVersionNodeAnswer,
    LineageAnswer,
    MakeNode,
    RunNodeAnswer,
    node_answers,
)
from lineagegraph.http.marquez.paths import RUN_ID
from lineagegraph.http.marquez.run_answers import run_answer
from lineagegraph.http.marquez.version_answers import dataset_version_answer
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, Uuid, about
from lineagegraph.http.plumbing.operations import (
    NOT_FOUND,
    ApiParameter,
    Reply,
    get,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import query_uuid, read_depth
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.lineage.run_lineage import (
    Steps,
    UpstreamRun,
    UpstreamRuns,
    read_upstream_runs,
)
from lineagegraph.queries.lineage.run_nodes import DescribedRuns, describe_run_lineage, picture_runs
from lineagegraph.store.datasets.dataset_versions import DatasetVersionRow


class UpstreamJobAnswer(AnswerStruct):
    """The job of an upstream run."""

    namespace: str
    name: str | None
    version: Uuid | None


class UpstreamRunStateAnswer(AnswerStruct):
    """The state of an upstream run."""

    id: Uuid
    start: Timestamp | None
    end: Timestamp | None
    status: str


class UpstreamInputAnswer(AnswerStruct):
    """A dataset that an upstream run read, and the run that wrote that."""

    namespace: str
    name: str
    version: Uuid | None
    produced_by_run_id: Uuid | None


class UpstreamRunAnswer(AnswerStruct):
    """A run and its inputs."""

    job: UpstreamJobAnswer
    run: UpstreamRunStateAnswer
    inputs: list[UpstreamInputAnswer]


class UpstreamRunsAnswer(AnswerStruct):
    """Runs, the nearer ones first, each with its inputs; `truncated` is not Marquez's."""

    runs: list[UpstreamRunAnswer]
    truncated: Annotated[bool, about("Whether there are more runs than are answered.")]


def run_lineage_answer(found: DescribedRuns) -> LineageAnswer:
    """Return runs and versions by node id, in the shape that lineage of jobs has."""
    ids = {run.row.id: f"run:{run.row.id}" for run in found.runs}
    ids |= {version.row.key: _version_id(version.row) for version in found.versions}
    nodes: dict[str, MakeNode] = {
        ids[run.row.id]: partial(RunNodeAnswer, data=run_answer(run)) for run in found.runs
    }
    for version in found.versions:
        about = dataset_version_answer(version)
        nodes[ids[version.row.key]] = partial(DatasetVersionNodeAnswer, data=about)
    return LineageAnswer(node_answers(nodes, ids, found.edges), found.cut)


def upstream_answer(found: UpstreamRuns) -> UpstreamRunsAnswer:
    """Return runs, each with its inputs and the runs that wrote them."""
    return UpstreamRunsAnswer([_upstream_run(one) for one in found.runs], found.cut)


def _version_id(row: DatasetVersionRow) -> str:
    return f"dataset:{row.namespace}:{row.name}#{uuid_of(row.key)}"


def _upstream_run(one: UpstreamRun) -> UpstreamRunAnswer:
    run = run_answer(one.run)
    version = run.job_version.version if run.job_version else None
    return UpstreamRunAnswer(
        job=UpstreamJobAnswer(run.job.namespace, run.job.name, version),
        run=UpstreamRunStateAnswer(run.id, run.started_at, run.ended_at, run.state),
        inputs=[
            UpstreamInputAnswer(use.namespace, use.name, uuid_of(use.version), use.writer)
            for use in one.reads
        ],
    )


_UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_NODE = re.compile(rf"run:.*|dataset:.+#{_UUID}", re.DOTALL)


OPERATIONS = tagged(
    "lineage",
    get(
        "/api/v1/runlineage/upstream",
        "getUpstreamRuns",
        "The runs that a run's data came from.",
        Reply("Runs, the nearer ones first.", UpstreamRunsAnswer),
        ApiParameter(
            "runId",
            UUID,
            RUN_ID.example,
            "The id of a run; those below it count as it.",
            required=True,
        ),
        depth(20, "How many runs away."),
        also=(NOT_FOUND,),
    ),
)


def upstream_routes(reads: Reads) -> list[RawRoute]:
    """Return the route of upstream runs."""
    return routes_of(OPERATIONS, {"getUpstreamRuns": partial(_upstream, reads)})


def may_be_run_node(node: str) -> bool:
    """Return whether a node id may be that of a run or a version."""
    return _NODE.fullmatch(node) is not None


def answer_run_lineage(
    reads: Reads, request: Request, node: str, most: int, ways: tuple[bool, bool]
) -> Response | None:
    """Answer with the lineage of a run or a version; None if the node is neither."""
    up, down = (most if way else None for way in ways)
    found = describe_run_lineage(reads.graph, node, Steps(up, down), inherit=reads.inherit)
    if found is None:
        return None
    return graph_answer(request, partial(run_lineage_answer, found), partial(picture_runs, found))


def _upstream(reads: Reads, request: Request) -> Response:
    run = str(query_uuid(request, "runId"))
    found = read_upstream_runs(reads.graph, run, read_depth(request), reads.inherit)
    return answer(upstream_answer(found))
