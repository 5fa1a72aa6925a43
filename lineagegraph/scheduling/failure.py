"""The events that end runs whose worker cannot say it itself."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from lineagegraph.model.producer import PRODUCER
from lineagegraph.store.launches import OpenRun

_SPEC = "https://openlineage.io/spec"


def failure_events(
    open_runs: Sequence[OpenRun], reason: str, message: str, event_type: str = "FAIL"
) -> list[dict[str, Any]]:
    """Return an end for each run, in the order given."""
    own = {"reason": reason}
    return [
        failure_event(run.id, run.namespace, run.name, run.now, own, message, event_type)
        for run in open_runs
    ]


def failure_event(
    run_id: str,
    namespace: str,
    name: str,
    at: datetime,
    own: Mapping[str, str],
    message: str,
    event_type: str = "FAIL",
) -> dict[str, Any]:
    """Return the end of one run; `own` is what our facet says of it."""
    facet = {"_producer": PRODUCER, "_schemaURL": f"{PRODUCER}#run-facet-1", **own}
    error = {
        "_producer": PRODUCER,
        "_schemaURL": f"{_SPEC}/facets/1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet",
        "message": message,
        "programmingLanguage": "PYTHON",
    }
    return {
        "eventType": event_type,
        "eventTime": at.isoformat(timespec="microseconds"),
        "producer": PRODUCER,
        "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run_id, "facets": {"lineagegraph": facet, "errorMessage": error}},
        "job": {"namespace": namespace, "name": name, "facets": {}},
        "inputs": [],
        "outputs": [],
    }
