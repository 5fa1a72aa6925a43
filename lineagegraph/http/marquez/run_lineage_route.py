"""The lineage of one run or one version of a dataset, and the route of upstream runs."""

import re
from functools import partial
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.marquez.graph_answer import depth, graph_answer
from lineagegraph.http.marquez.paths import RUN_ID
from lineagegraph.http.marquez.run_lineage_answers import (
    UpstreamRunsAnswer,
    run_lineage_answer,
    upstream_answer,
)
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
from lineagegraph.queries.lineage.run_lineage import Steps
from lineagegraph.queries.lineage.run_nodes import describe_run_lineage, picture_runs
from lineagegraph.queries.lineage.upstream_runs import read_upstream_runs

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
