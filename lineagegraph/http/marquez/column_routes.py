"""The routes of column lineage, and of the dependents of one column."""

from functools import partial
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.marquez.addresses import CHOICES, choices, node_path
from lineagegraph.http.marquez.column_answers import ColumnGraphAnswer, column_graph_answer
from lineagegraph.http.marquez.graph_answer import GRAPH_FORMAT, depth, graph_answer, graph_reply
from lineagegraph.http.marquez.impact_answers import ImpactAnswer, impact_answer
from lineagegraph.http.marquez.unused_columns_answers import (
    UnusedColumnAnswer,
    unused_column_answer,
)
from lineagegraph.http.plumbing.answers import Timestamp
from lineagegraph.http.plumbing.operations import (
    NOT_FOUND,
    ApiParameter,
    Reply,
    get,
    listing,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import one_of, read_cut, read_depth, time_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.queries.analysis.unused_columns import page_unused_columns
from lineagegraph.queries.datasets.last_statements import StatedFilter
from lineagegraph.queries.find.resolve import Resolution
from lineagegraph.queries.lineage.column_node import (
    ColumnsAsked,
    read_column_lineage,
    resolve_columns,
    version_of,
)
from lineagegraph.queries.lineage.impact import read_impact

_TRUTHS = {"true": True, "false": False}
_KINDS = ("dataset:", "datasetField:", "job:")
_LATEST = {"all": False, "latest": True}
_RUNS = ApiParameter(
    "runs",
    Literal["all", "latest"],
    "latest",
    "`latest` shows only what the newest ended run of each job that wrote the dataset states; the "
    "default is the setting `column_lineage_runs`. Not with a version, nor a time.",
)
_SINCE = ApiParameter(
    "since",
    Timestamp,
    "2026-03-08T00:00:00Z",
    "Only what events have reported since then; not with a version, nor a time.",
)
OPERATIONS = tagged(
    "lineage",
    get(
        "/api/v1/column-lineage",
        "getColumnLineage",
        "The origins of columns, and the columns made from them.",
        graph_reply("Columns by id.", ColumnGraphAnswer),
        ApiParameter(
            "nodeId",
            str,
            "datasetField:s3://experiments:hourly_customer_metrics:clicks",
            "`dataset:NAMESPACE:NAME`, `datasetField:NAMESPACE:NAME:FIELD` or "
            "`job:NAMESPACE:NAME`; `#UUID` behind it names a version.",
            required=True,
        ),
        depth(3, "How many edges away."),
        ApiParameter(
            "withDownstream",
            Literal["true", "false", "True", "False"],
            "false",
            "Whether to show columns made from them too; not with a version, nor a time.",
            default="false",
        ),
        ApiParameter(
            "at",
            Timestamp,
            "2026-03-08T23:00:00Z",
            "By the runs that had written last at this time.",
        ),
        _RUNS,
        _SINCE,
        GRAPH_FORMAT,
        also=(CHOICES, NOT_FOUND),
    ),
    get(
        "/api/v1/column-lineage/impact",
        "getImpact",
        "The columns, datasets and jobs that a change of a column affects.",
        Reply("The dependents of the column.", ImpactAnswer),
        ApiParameter(
            "nodeId",
            str,
            "datasetField:s3://experiments:clickstream:latency_ms",
            "`datasetField:NAMESPACE:NAME:FIELD`.",
            required=True,
        ),
        _RUNS,
        _SINCE,
        also=(NOT_FOUND,),
    ),
    get(
        "/api/v1/column-lineage/unused",
        "listUnusedColumnLineage",
        "Columns and their origins that no event has reported since a time, the oldest first.",
        listing("columnLineage", UnusedColumnAnswer, "Columns and origins by last report."),
        ApiParameter(
            "since",
            Timestamp,
            "2026-03-09T00:00:00Z",
            "Those whose last report is before this time.",
            required=True,
        ),
    ),
)


def column_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes."""
    endpoints = {
        "getColumnLineage": partial(_column_lineage, reads),
        "getImpact": partial(_impact, reads),
        "listUnusedColumnLineage": partial(_unused, reads),
    }
    return routes_of(OPERATIONS, endpoints)


def _column_lineage(reads: Reads, request: Request) -> Response:
    node = _node(request, _KINDS)
    most = read_depth(request)
    down = one_of(request, "withDownstream", _TRUTHS, "false")
    at = time_of(request, "at")
    if down and (at is not None or (version_of(node) and not node.startswith("job:"))):
        raise RequestRefused(400, "withDownstream does not support versions or times", "nodeId")
    asked = resolve_columns(reads.graph, node, inherit=reads.inherit)
    if isinstance(asked, Resolution):
        return choices(request, [node_path(request, job) for job in asked.found])
    if down and asked.versions:
        raise RequestRefused(400, "withDownstream does not support versions or times", "nodeId")
    if asked.versions and at is not None:
        raise RequestRefused(400, "at does not support versions", "at")
    stated = _stated(reads, request)
    if (at is not None or asked.versions) and _chooses(request):
        raise RequestRefused(400, "runs and since do not support versions or times", "nodeId")
    found = read_column_lineage(reads.graph, asked, most, down, at, stated)
    shape = partial(column_graph_answer, found, bool(asked.versions) or at is not None)
    return graph_answer(request, shape, lambda: found.graph)


def _impact(reads: Reads, request: Request) -> Response:
    node = _node(request, ("datasetField:",))
    asked = resolve_columns(reads.graph, node, inherit=reads.inherit)
    assert isinstance(asked, ColumnsAsked)
    if asked.versions:
        raise RequestRefused(400, "impact does not support versioned node ids", "nodeId")
    (column,) = asked.columns
    impact = read_impact(reads.graph, column.key, _stated(reads, request))
    return answer(impact_answer(impact, reads.inherit))


def _unused(reads: Reads, request: Request) -> Response:
    since = time_of(request, "since")
    if since is None:
        raise RequestRefused(400, "since must be a time in ISO 8601", "since")
    page = page_unused_columns(reads.graph, since, read_cut(request))
    return page_answer("columnLineage", page, unused_column_answer)


def _chooses(request: Request) -> bool:
    return any(request.query_params.get(name) for name in ("runs", "since"))


def _stated(reads: Reads, request: Request) -> StatedFilter:
    """Return the filter of `runs` and `since`."""
    default = "latest" if reads.latest_columns else "all"
    return StatedFilter(one_of(request, "runs", _LATEST, default), time_of(request, "since"))


def _node(request: Request, kinds: tuple[str, ...]) -> str:
    node = request.query_params.get("nodeId", "")
    if not node.startswith(kinds):
        forms = {
            "dataset:": "dataset:NAMESPACE:NAME",
            "datasetField:": "datasetField:NAMESPACE:NAME:FIELD",
            "job:": "job:NAMESPACE:NAME",
        }
        known = " or ".join(forms[kind] for kind in kinds)
        raise RequestRefused(400, f"nodeId must be {known}", "nodeId")
    return node
