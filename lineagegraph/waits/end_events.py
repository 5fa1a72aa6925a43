"""Events that end standalone waits."""

from typing import Any

from lineagegraph.model.runs.ids import PRODUCER
from lineagegraph.model.runs.states import EventType, RunState

_SPEC = "https://openlineage.io/spec"
_OWN = f"{PRODUCER}#run-facet-1"
_ERROR = f"{_SPEC}/facets/1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet"
_JOB_TYPE = f"{_SPEC}/facets/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet"
_ENDS = {
    "success": EventType.COMPLETE,
    "failed": EventType.FAIL,
    "skipped": EventType.ABORT,
}


def waiting_event(run_id: str, namespace: str, name: str, at: str, message: str) -> dict[str, Any]:
    """Return the OTHER with which a run begins to wait."""
    said: dict[str, str | None] = {"state": RunState.WAITING.value, "message": message}
    said["reason"] = "WAITS_FOR_SENSOR"
    return _event(EventType.OTHER, run_id, namespace, name, at, {"lineagegraph": _own(said)})


def end_event(
    run_id: str, namespace: str, name: str, at: str, outcome: str, reason: str | None, message: str
) -> dict[str, Any]:
    """Return the end of a run whose wait came out like that."""
    said = {"reason": reason, "message": message}
    if outcome == "skipped":
        said["state"] = RunState.SKIPPED.value
    facets = {"lineagegraph": _own(said)}
    if outcome == "failed":
        error = {"message": message, "programmingLanguage": "PYTHON"}
        facets["errorMessage"] = _facet(_ERROR, error)
    return _event(_ENDS[outcome], run_id, namespace, name, at, facets)


def _event(
    event_type: EventType, run_id: str, namespace: str, name: str, at: str, facets: dict[str, Any]
) -> dict[str, Any]:
    job_type = {"processingType": "BATCH", "integration": "LINEAGEGRAPH", "jobType": "SENSOR"}
    return {
        "eventType": event_type.value,
        "eventTime": at,
        "producer": PRODUCER,
        "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run_id, "facets": facets},
        "job": {
            "namespace": namespace,
            "name": name,
            "facets": {"jobType": _facet(_JOB_TYPE, job_type)},
        },
        "inputs": [],
        "outputs": [],
    }


def _own(said: dict[str, str | None]) -> dict[str, Any]:
    return _facet(_OWN, {name: value for name, value in said.items() if value is not None})


def _facet(url: str, said: dict[str, Any]) -> dict[str, Any]:
    return {"_producer": PRODUCER, "_schemaURL": url, **said}
