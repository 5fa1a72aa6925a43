"""All operations of the API."""

from typing import Any

from lineagegraph.http import external_events, freshness, health, skips, variables
from lineagegraph.http.backfills import routes as backfills
from lineagegraph.http.ingest import operations as ingest
from lineagegraph.http.marquez.operations import OPERATIONS as MARQUEZ
from lineagegraph.http.metrics import route as metrics
from lineagegraph.http.plumbing.operations import Reply, plain, tagged
from lineagegraph.http.reruns import routes as reruns
from lineagegraph.http.run_states import routes as run_states
from lineagegraph.http.schedules import operations as schedules
from lineagegraph.http.sensors import routes as sensors

GET_DOCUMENT = plain(
    "/api/v1/openapi.json",
    "getOpenApi",
    "This document.",
    Reply("OpenAPI 3.1.", dict[str, Any]),
)
OPERATIONS = (
    *health.OPERATIONS,
    *metrics.OPERATIONS,
    *tagged("server", GET_DOCUMENT),
    *ingest.OPERATIONS,
    *MARQUEZ,
    *run_states.OPERATIONS,
    *schedules.OPERATIONS,
    *backfills.OPERATIONS,
    *reruns.OPERATIONS,
    *external_events.OPERATIONS,
    *freshness.OPERATIONS,
    *sensors.OPERATIONS,
    *skips.OPERATIONS,
    *variables.OPERATIONS,
)
