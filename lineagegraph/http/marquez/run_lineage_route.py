"""Lineage of one run or one version of a dataset, and Marquez's upstream runs."""

import re
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore.run_lineage import Steps
from lineagegraph.explore.run_nodes import describe_run_lineage, picture_runs
from lineagegraph.explore.upstream_runs import read_upstream_runs
from lineagegraph.http.marquez.graph_answer import graph_answer
from lineagegraph.http.marquez.run_lineage_shapes import run_lineage_shape, upstream_shape
from lineagegraph.http.plumbing.parameters import query_uuid, read_depth
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer

_UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_NODE = re.compile(rf"run:.*|dataset:.+#{_UUID}", re.DOTALL)


def upstream_route(reads: Reads) -> RawRoute:
    """Return the route of upstream runs."""
    return RawRoute("/api/v1/runlineage/upstream", partial(_upstream, reads), methods=["GET"])


def may_be_run_node(node: str) -> bool:
    """Say whether a node id looks like that of a run or a version."""
    return _NODE.fullmatch(node) is not None


def answer_run_lineage(
    reads: Reads, request: Request, node: str, depth: int, ways: tuple[bool, bool]
) -> Response | None:
    """Answer what is around a run or a version; None where the node is neither."""
    up, down = (depth if way else None for way in ways)
    found = describe_run_lineage(reads.graph, node, Steps(up, down), inherit=reads.inherit)
    if found is None:
        return None
    return graph_answer(request, partial(run_lineage_shape, found), partial(picture_runs, found))


def _upstream(reads: Reads, request: Request) -> Response:
    run = str(query_uuid(request, "runId"))
    depth = read_depth(request)
    return answer(upstream_shape(read_upstream_runs(reads.graph, run, depth, reads.inherit)))
