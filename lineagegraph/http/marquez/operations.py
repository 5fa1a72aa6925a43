"""The operations of Marquez's API, and those that it does not have."""

from lineagegraph.http.marquez import (
    as_was_routes,
    column_routes,
    dataset_routes,
    diff_routes,
    event_routes,
    job_routes,
    lineage_route,
    namespace_routes,
    run_lineage_route,
    run_routes,
    search_routes,
    source_routes,
    stats_routes,
    tag_routes,
    version_routes,
)
from lineagegraph.http.marquez.job_route import ONE_JOB, refused_methods

_STATED = (
    *namespace_routes.OPERATIONS,
    *event_routes.OPERATIONS,
    *dataset_routes.OPERATIONS,
    *job_routes.OPERATIONS,
    *run_routes.OPERATIONS,
    *search_routes.OPERATIONS,
    *source_routes.OPERATIONS,
    *stats_routes.OPERATIONS,
    *tag_routes.OPERATIONS,
    *version_routes.OPERATIONS,
    *lineage_route.OPERATIONS,
    *column_routes.OPERATIONS,
    *run_lineage_route.OPERATIONS,
    *diff_routes.OPERATIONS,
    *as_was_routes.OPERATIONS,
)
_OF_JOBS = [one for one in _STATED if one.path.startswith(ONE_JOB)]
OPERATIONS = (*_STATED, *refused_methods(_OF_JOBS))
