"""The events that end runs whose worker cannot say it itself."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from lineagegraph.model.producer import PRODUCER
from lineagegraph.store.launches import OpenRun

_SPEC = "https://openlineage.io/spec"


def failure_events(
    open_runs: Sequence[OpenRun], reason: str, message: str, event_type: str = "FAIL"
) -> list[dict[str, Any]]:
    """Return an end for each run, in the order given."""
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    return [_event(run, at, reason, message, event_type) for run in open_runs]


def _event(run: OpenRun, at: str, reason: str, message: str, event_type: str) -> dict[str, Any]:
    own = {"_producer": PRODUCER, "_schemaURL": f"{PRODUCER}#run-facet-1", "reason": reason}
    error = {
        "_producer": PRODUCER,
        "_schemaURL": f"{_SPEC}/facets/1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet",
        "message": message,
        "programmingLanguage": "PYTHON",
    }
    return {
        "eventType": event_type,
        "eventTime": at,
        "producer": PRODUCER,
        "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run.id, "facets": {"lineagegraph": own, "errorMessage": error}},
        "job": {"namespace": run.namespace, "name": run.name, "facets": {}},
        "inputs": [],
        "outputs": [],
    }
