"""`/metrics`, as Prometheus scrapes it."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import structlog
from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.http.ingest.counts import IngestCounts
from lineagegraph.http.metrics.families import (
    daemon_families,
    freshness_families,
    gauge,
    graph_families,
    ingest_families,
    refused_family,
    sensor_families,
)
from lineagegraph.http.plumbing.operations import Reply, plain, routes_of, tagged
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.model.names.ticks import Beat
from lineagegraph.queries.jobs.stats import read_numbers
from lineagegraph.settings import Settings

log = structlog.get_logger()
# Prometheus gives up after ten.
_PATIENCE_SECONDS = 5.0
OPERATIONS = tagged(
    "server",
    plain(
        "/metrics",
        "getMetrics",
        "Numbers for Prometheus, in its text format.",
        Reply("Metrics; while Neo4j is away, those of this process.", texts=("text/plain",)),
    ),
)


class _Numbers(Collector):
    """Reads the graph at each scrape; while Neo4j is away it has only the process's numbers."""

    def __init__(
        self,
        graph: Graph,
        settings: Settings,
        counts: Callable[[], IngestCounts],
        refused: Mapping[str, int],
        beats: Callable[[], Iterable[Beat]],
    ) -> None:
        self._graph = graph.with_patience(_PATIENCE_SECONDS)
        self._settings = settings
        self._counts = counts
        self._refused = refused
        self._beats = beats

    def describe(self) -> Iterable[Metric]:
        """Return no metrics, so that registering reads nothing."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Read everything."""
        yield from ingest_families(self._counts())
        yield refused_family(self._refused)
        yield from daemon_families(self._beats())
        try:
            numbers = read_numbers(self._graph, self._settings.zone, self._settings.metrics_nodes)
        except GraphError as error:
            log.warning("metrics_without_graph", error=str(error))
            numbers = None
        yield gauge("graph_up", "Whether Neo4j answers.", {(): numbers is not None})
        if numbers:
            yield from graph_families(numbers)
            yield from sensor_families(numbers.sensing, numbers.sensor_processes)
            yield from freshness_families(numbers.standings, self._settings.metrics_nodes)


def metrics_route(
    graph: Graph,
    settings: Settings,
    counts: Callable[[], IngestCounts],
    refused: Mapping[str, int],
    beats: Callable[[], Iterable[Beat]],
) -> RawRoute:
    """Return the route; `counts`, `refused` and `beats` are this process's own numbers."""
    registry = CollectorRegistry()
    registry.register(_Numbers(graph, settings, counts, refused, beats))
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)

    def get_metrics(request: Request) -> Response:
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    (route,) = routes_of(OPERATIONS, {"getMetrics": get_metrics})
    return route
