"""All routes of Marquez's API."""

from lineagegraph.graph import Graph
from lineagegraph.http.marquez.as_was_routes import as_was_routes
from lineagegraph.http.marquez.column_routes import column_routes
from lineagegraph.http.marquez.dataset_routes import dataset_routes
from lineagegraph.http.marquez.diff_routes import diff_routes
from lineagegraph.http.marquez.event_routes import event_routes
from lineagegraph.http.marquez.job_routes import job_routes
from lineagegraph.http.marquez.job_writers import JobWriters
from lineagegraph.http.marquez.lineage_route import lineage_routes
from lineagegraph.http.marquez.namespace_routes import namespace_routes
from lineagegraph.http.marquez.run_lineage_route import upstream_routes
from lineagegraph.http.marquez.run_routes import run_routes
from lineagegraph.http.marquez.search_routes import search_routes
from lineagegraph.http.marquez.source_routes import source_routes
from lineagegraph.http.marquez.stats_routes import stats_routes
from lineagegraph.http.marquez.tag_routes import tag_routes
from lineagegraph.http.marquez.version_routes import version_routes
from lineagegraph.http.marquez.writer_events import Take
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads
from lineagegraph.settings import Settings

# A client waits for the answer: a later one is of no use.
_PATIENCE_SECONDS = 5.0


def marquez_routes(graph: Graph, settings: Settings, take: Take) -> list[RawRoute]:
    """Return the routes of one graph; `take` writes the events that they make."""
    patient = graph.with_patience(_PATIENCE_SECONDS)
    latest_columns = settings.column_lineage_runs == "latest"
    reads = Reads(patient, settings.inherit_namespace, settings.max_body_bytes, latest_columns)
    return [
        *namespace_routes(reads),
        *event_routes(reads),
        *dataset_routes(reads, take),
        *job_routes(reads, JobWriters(take)),
        *run_routes(reads, take, settings.home / "logs"),
        *search_routes(reads),
        *source_routes(reads),
        *stats_routes(reads),
        *tag_routes(reads),
        *version_routes(reads),
        *lineage_routes(reads),
        *column_routes(reads),
        *upstream_routes(reads),
        *diff_routes(reads, settings),
        *as_was_routes(reads),
    ]
