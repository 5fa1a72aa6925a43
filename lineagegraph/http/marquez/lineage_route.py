"""The route of the lineage graph around one job or dataset, or around a namespace."""

from functools import partial
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.drawing.described_lineage import draw_lineage
from lineagegraph.http.marquez.addresses import CHOICES, choices, node_path
from lineagegraph.http.marquez.graph_answer import (
    GRAPH_FORMAT,
    depth,
    graph_answer,
    graph_reply,
    is_drawn,
)
from lineagegraph.http.marquez.lineage_answers import LineageAnswer, described_nodes, lineage_answer
from lineagegraph.http.marquez.run_lineage_route import answer_run_lineage, may_be_run_node
from lineagegraph.http.plumbing.answers import Timestamp
from lineagegraph.http.plumbing.kept_nodes import KeptNodes, NodesNow
from lineagegraph.http.plumbing.operations import NOT_FOUND, ApiParameter, get, routes_of, tagged
from lineagegraph.http.plumbing.parameters import one_of, read_depth, time_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.typed import decode_json
from lineagegraph.queries.find.resolve import Address, FoundDataset, Resolution, resolve_node
from lineagegraph.queries.lineage.described_lineage import (
    EVERY_RUN,
    DescribedLineage,
    describe_lineage,
    describe_namespace,
)
from lineagegraph.queries.lineage.lineage import NAMESPACE_NODE
from lineagegraph.queries.lineage.window import Window

_DIRECTIONS = {"both": (True, True), "upstream": (True, False), "downstream": (False, True)}
_LATEST = {"all": False, "latest": True}
_VIEWS = {"jobs": False, "group": True}
OPERATIONS = tagged(
    "lineage",
    get(
        "/api/v1/lineage",
        "getLineage",
        "The jobs and datasets that the data of a job, a dataset or a namespace came from and "
        "went to.",
        graph_reply("Nodes by id.", LineageAnswer),
        ApiParameter(
            "nodeId",
            str,
            "dataset:s3://experiments:aggregate_experiment_metrics",
            "`job:NAMESPACE:NAME` or `dataset:NAMESPACE:NAME`, any name of a job will do; or "
            "`namespace:NAMESPACE` for all its jobs and datasets.",
            required=True,
        ),
        depth(5, "How many jobs away; each comes with its datasets on the way."),
        ApiParameter(
            "direction", Literal["both", "upstream", "downstream"], "upstream", default="both"
        ),
        ApiParameter(
            "view",
            Literal["jobs", "group"],
            "group",
            "`group` shows a job in place of all below it, without its inner data.",
            default="jobs",
        ),
        ApiParameter(
            "at",
            Timestamp,
            "2026-03-08T23:00:00Z",
            "By all events up to this time; names and hierarchy are today's. Before a node was "
            "known: 404.",
        ),
        ApiParameter(
            "runs",
            Literal["all", "latest"],
            "latest",
            "`latest` shows only the data of the latest run to end of each job.",
            default="all",
        ),
        ApiParameter(
            "since", Timestamp, "2026-03-08T00:00:00Z", "Only data of runs that began since then."
        ),
        ApiParameter(
            "partition",
            str,
            "region=UK",
            "Only data of runs whose partition has these values: a JSON map or "
            "`key=value,key=value`.",
        ),
        ApiParameter(
            "groupBy",
            str,
            "region",
            "A key of the partition: nodes have `partitions`, with the latest run for each value.",
        ),
        GRAPH_FORMAT,
        also=(CHOICES, NOT_FOUND),
    ),
)


def lineage_routes(reads: Reads) -> list[RawRoute]:
    """Return the route."""
    return routes_of(OPERATIONS, {"getLineage": partial(_lineage, reads, KeptNodes(reads.graph))})


def _lineage(reads: Reads, kept: KeptNodes, request: Request) -> Response:
    node = request.query_params.get("nodeId", "")
    most = read_depth(request)
    ways = one_of(request, "direction", _DIRECTIONS, "both")
    as_group = one_of(request, "view", _VIEWS, "jobs")
    window, group_by = _window_of(request), request.query_params.get("groupBy")
    if may_be_run_node(node):
        answered = answer_run_lineage(reads, request, node, most, ways)
        if answered:
            _refuse_filters(request, window, as_group)
            return answered
    if node.startswith(NAMESPACE_NODE):
        if as_group:
            raise RequestRefused(400, "view=group needs a job as nodeId, not a namespace", "view")
        nodes = _nodes(kept, request, window, group_by)
        return _lineage_of_namespace(reads, request, most, ways, window, group_by, nodes)
    found = _resolve(reads, node)
    if isinstance(found, Resolution) and len(found.found) > 1:
        return choices(request, [node_path(request, job) for job in found.found])
    end = found if isinstance(found, FoundDataset) else found.found[0]
    up, down = (_steps(end, most) if way else 0 for way in ways)
    as_group = as_group and isinstance(end, Address)
    nodes = kept.nothing() if as_group else _nodes(kept, request, window, group_by)
    lineage = describe_lineage(
        reads.graph,
        end.key,
        up,
        down,
        inherit=reads.inherit,
        as_group=as_group,
        window=window,
        group_by=group_by,
        lacking=nodes.lacking,
    )
    return _graph(request, lineage, nodes)


def _lineage_of_namespace(
    reads: Reads,
    request: Request,
    most: int,
    ways: tuple[bool, bool],
    window: Window,
    group_by: str | None,
    nodes: NodesNow,
) -> Response:
    namespace = request.query_params["nodeId"].removeprefix(NAMESPACE_NODE)
    # A job of the namespace has its datasets at depth 0, and a dataset its jobs.
    up, down = (2 * most + 1 if way else 0 for way in ways)
    lineage = describe_namespace(
        reads.graph,
        namespace,
        up,
        down,
        inherit=reads.inherit,
        window=window,
        group_by=group_by,
        lacking=nodes.lacking,
    )
    return _graph(request, lineage, nodes)


def _nodes(kept: KeptNodes, request: Request, window: Window, group_by: str | None) -> NodesNow:
    """Return the nodes that are kept, if they are those of the answer to a request."""
    is_whole = window == EVERY_RUN and group_by is None
    return kept.now() if is_whole and not is_drawn(request) else kept.nothing()


def _graph(request: Request, lineage: DescribedLineage, nodes: NodesNow) -> Response:
    return graph_answer(request, partial(_answer, lineage, nodes), partial(draw_lineage, lineage))


def _answer(lineage: DescribedLineage, nodes: NodesNow) -> LineageAnswer:
    described = described_nodes(lineage)
    nodes.keep(described)
    return lineage_answer(lineage, described | {key: nodes.known[key] for key in lineage.known})


def _resolve(reads: Reads, node: str) -> Resolution | FoundDataset:
    if not node.startswith(("job:", "dataset:")):
        raise RequestRefused(
            400,
            "nodeId must be job:NAMESPACE:NAME, dataset:NAMESPACE:NAME, namespace:NAMESPACE or "
            "run:UUID",
            "nodeId",
        )
    return resolve_node(reads.graph, node, inherit=reads.inherit)


def _steps(end: Address | FoundDataset, depth: int) -> int:
    """Return how many edges go with a depth: Marquez counts jobs, and each has its datasets."""
    return 2 * depth + (1 if isinstance(end, Address) else 2)


def _refuse_filters(request: Request, window: Window, as_group: bool) -> None:
    """Refuse what a run or a version has no answer for: they are of one time already."""
    given = {
        "at": window.at,
        "runs": window.latest,
        "since": window.since,
        "partition": window.partition,
        "groupBy": request.query_params.get("groupBy") is not None,
        "view": as_group,
    }
    for name, is_set in given.items():
        if is_set:
            why = f"{name} needs a job, dataset or namespace as nodeId, not a run or a version"
            raise RequestRefused(400, why, name)


def _window_of(request: Request) -> Window:
    """Return the window of `runs`, `since`, `partition` and `at`."""
    return Window(
        latest=one_of(request, "runs", _LATEST, "all"),
        since=time_of(request, "since"),
        partition=_partition(request.query_params.get("partition")),
        at=time_of(request, "at"),
    )


def _partition(text: str | None) -> dict[str, str]:
    """Read a JSON map, or `key=value,key=value`."""
    if text is None:
        return {}
    if text.lstrip().startswith("{"):
        return {key: _text(value) for key, value in _map(text).items()}
    pairs = [pair.partition("=") for pair in text.split(",")]
    if not all(key and sign for key, sign, _ in pairs):
        raise RequestRefused(
            400, "partition must be a JSON map or key=value,key=value", "partition"
        )
    return {key: value for key, _, value in pairs}


def _map(text: str) -> dict[str, Any]:
    try:
        return decode_json(text, into=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        raise RequestRefused(400, "partition must be a JSON map", "partition") from None


def _text(value: Any) -> str:
    """Return a value as partitions have it: a text as itself, all else as JSON."""
    return value if isinstance(value, str) else canonical_json(value)
