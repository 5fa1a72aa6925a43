"""All routes."""

from starlette.routing import BaseRoute

from lineagegraph.graph import Graph
from lineagegraph.http.marquez.as_was_routes import as_was_routes
from lineagegraph.http.marquez.column_routes import column_routes
from lineagegraph.http.marquez.dataset_writer import dataset_writer
from lineagegraph.http.marquez.diff_route import diff_route
from lineagegraph.http.marquez.event_routes import event_routes
from lineagegraph.http.marquez.job_routes import job_routes
from lineagegraph.http.marquez.job_writers import JobWriters
from lineagegraph.http.marquez.lineage_route import lineage_route
from lineagegraph.http.marquez.namespace_routes import namespace_routes
from lineagegraph.http.marquez.run_lineage_route import upstream_route
from lineagegraph.http.marquez.run_routes import run_routes
from lineagegraph.http.marquez.run_writers import run_writers
from lineagegraph.http.marquez.search_routes import search_routes
from lineagegraph.http.marquez.source_routes import source_routes
from lineagegraph.http.marquez.stats_routes import stats_routes
from lineagegraph.http.marquez.tag_routes import tag_routes
from lineagegraph.http.marquez.version_diff_route import version_diff_route
from lineagegraph.http.marquez.version_routes import dataset_version_routes
from lineagegraph.http.marquez.writer_events import Take
from lineagegraph.http.plumbing.reads import Reads
from lineagegraph.settings import Settings

# Whoever asks waits: no answer later than this is of use.
_PATIENCE_SECONDS = 5.0


def marquez_routes(graph: Graph, settings: Settings, take: Take) -> list[BaseRoute]:
    """Return the routes of one graph; `take` writes the events that they make."""
    patient = graph.with_patience(_PATIENCE_SECONDS)
    reads = Reads(patient, settings.inherit_namespace, settings.max_body_bytes)
    return [
        *namespace_routes(reads),
        *event_routes(reads),
        dataset_writer(reads, take),
        *job_routes(reads, JobWriters(take)),
        *run_routes(reads),
        *run_writers(reads, take),
        *search_routes(reads),
        *source_routes(reads),
        *stats_routes(reads),
        *tag_routes(reads),
        *dataset_version_routes(reads),
        lineage_route(reads),
        *column_routes(reads),
        upstream_route(reads),
        diff_route(reads, settings),
        version_diff_route(reads, settings),
        *as_was_routes(reads),
    ]
