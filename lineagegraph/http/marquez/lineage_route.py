"""The lineage graph around one job or dataset."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore.described_lineage import describe_lineage
from lineagegraph.explore.lineage_picture import draw_lineage
from lineagegraph.explore.resolve import Address, Resolution
from lineagegraph.explore.resolve_node import FoundDataset, resolve_node
from lineagegraph.http.marquez.addresses import choices, node_path
from lineagegraph.http.marquez.graph_answer import graph_answer
from lineagegraph.http.marquez.lineage_shapes import lineage_shape
from lineagegraph.http.marquez.run_lineage_route import answer_run_lineage, may_be_run_node
from lineagegraph.http.marquez.window_parameters import window_of
from lineagegraph.http.plumbing.parameters import one_of, read_depth
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads
from lineagegraph.http.plumbing.refusal import RequestRefused

_DIRECTIONS = {"both": (True, True), "upstream": (True, False), "downstream": (False, True)}
_VIEWS = {"jobs": False, "group": True}


def lineage_route(reads: Reads) -> RawRoute:
    """Return the route of lineage."""
    return RawRoute("/api/v1/lineage", partial(_lineage, reads), methods=["GET"])


def _lineage(reads: Reads, request: Request) -> Response:
    node = request.query_params.get("nodeId", "")
    depth = read_depth(request)
    ways = one_of(request, "direction", _DIRECTIONS, "both")
    as_group = one_of(request, "view", _VIEWS, "jobs")
    window, group_by = window_of(request), request.query_params.get("groupBy")
    if may_be_run_node(node):
        answered = answer_run_lineage(reads, request, node, depth, ways)
        if answered:
            return answered
    found = _resolve(reads, node)
    if isinstance(found, Resolution) and len(found.found) > 1:
        return choices(request, [node_path(request, job) for job in found.found])
    end = found if isinstance(found, FoundDataset) else found.found[0]
    up, down = (_steps(end, depth) if way else 0 for way in ways)
    as_group = as_group and isinstance(end, Address)
    lineage = describe_lineage(
        reads.graph,
        end.key,
        up,
        down,
        inherit=reads.inherit,
        as_group=as_group,
        window=window,
        group_by=group_by,
    )
    return graph_answer(request, partial(lineage_shape, lineage), partial(draw_lineage, lineage))


def _resolve(reads: Reads, node: str) -> Resolution | FoundDataset:
    if not node.startswith(("job:", "dataset:")):
        raise RequestRefused(
            400, "nodeId is job:NAMESPACE:NAME, dataset:NAMESPACE:NAME or run:UUID", "nodeId"
        )
    return resolve_node(reads.graph, node, inherit=reads.inherit)


def _steps(end: Address | FoundDataset, depth: int) -> int:
    """Return how many edges go with a depth: Marquez counts jobs, and each has its datasets."""
    return 2 * depth + (1 if isinstance(end, Address) else 2)
