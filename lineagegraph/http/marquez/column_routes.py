"""Column lineage, and what depends on one column."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore.column_lineage import read_column_lineage
from lineagegraph.explore.column_node import ColumnsAsked, resolve_columns, version_of
from lineagegraph.explore.impact import read_impact
from lineagegraph.explore.resolve import Resolution
from lineagegraph.http.marquez.addresses import choices, node_path
from lineagegraph.http.marquez.column_shapes import column_graph_shape
from lineagegraph.http.marquez.graph_answer import graph_answer
from lineagegraph.http.marquez.impact_shapes import impact_shape
from lineagegraph.http.plumbing.parameters import one_of, read_depth, time_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused

_TRUTHS = {"true": True, "false": False}
_KINDS = ("dataset:", "datasetField:", "job:")


def column_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of column lineage."""
    return [
        RawRoute("/api/v1/column-lineage", partial(_column_lineage, reads), methods=["GET"]),
        RawRoute("/api/v1/column-lineage/impact", partial(_impact, reads), methods=["GET"]),
    ]


def _column_lineage(reads: Reads, request: Request) -> Response:
    node = _node(request, _KINDS)
    depth = read_depth(request)
    down = one_of(request, "withDownstream", _TRUTHS, "false")
    at = time_of(request, "at")
    if down and (at is not None or (version_of(node) and not node.startswith("job:"))):
        raise RequestRefused(400, "withDownstream goes with no version and no time", "nodeId")
    asked = resolve_columns(reads.graph, node, inherit=reads.inherit)
    if isinstance(asked, Resolution):
        return choices(request, [node_path(request, job) for job in asked.found])
    if down and asked.versions:
        raise RequestRefused(400, "withDownstream goes with no version and no time", "nodeId")
    found = read_column_lineage(reads.graph, asked, depth, down, at)
    shape = partial(column_graph_shape, found, bool(asked.versions) or at is not None)
    return graph_answer(request, shape, lambda: found.graph)


def _impact(reads: Reads, request: Request) -> Response:
    node = _node(request, ("datasetField:",))
    asked = resolve_columns(reads.graph, node, inherit=reads.inherit)
    assert isinstance(asked, ColumnsAsked)
    if asked.versions:
        raise RequestRefused(400, "what depends on a column is not told by version", "nodeId")
    (column,) = asked.columns
    return answer(impact_shape(read_impact(reads.graph, column.key), reads.inherit))


def _node(request: Request, kinds: tuple[str, ...]) -> str:
    node = request.query_params.get("nodeId", "")
    if not node.startswith(kinds):
        forms = {
            "dataset:": "dataset:NAMESPACE:NAME",
            "datasetField:": "datasetField:NAMESPACE:NAME:FIELD",
            "job:": "job:NAMESPACE:NAME",
        }
        said = " or ".join(forms[kind] for kind in kinds)
        raise RequestRefused(400, f"nodeId is {said}", "nodeId")
    return node
