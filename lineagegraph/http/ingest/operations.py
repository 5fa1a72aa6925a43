"""The operations that take events, with OpenLineage's schema as far as it is checked."""

from typing import Annotated, Any

from msgspec import Meta

from lineagegraph.http.ingest.answers import BatchAnswer, EventAnswer
from lineagegraph.http.plumbing.operations import (
    RETRY_AFTER,
    Body,
    Reply,
    error_reply,
    post,
    tagged,
)

_TEXT = {"type": "string"}
_NAME = {"type": "string", "minLength": 1, "description": "At most 2,000 bytes in UTF-8."}
_FACETS = {"type": "object", "additionalProperties": {"type": ["object", "null"]}}
_RUN_ID = {
    "type": "string",
    "minLength": 1,
    "maxLength": 2000,
    "description": "A UUID. Another id is replaced by a UUID that follows from it and the job.",
}
_TYPES = ["START", "RUNNING", "COMPLETE", "FAIL", "ABORT", "OTHER", "", None]


def _object(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties}


def _named(**facets: Any) -> dict[str, Any]:
    return _object("namespace", "name", namespace=_NAME, name=_NAME, facets=_FACETS, **facets)


def _used(**facets: Any) -> dict[str, Any]:
    return {"type": ["array", "null"], "items": _named(**facets)}


_ALL = {
    "eventTime": {"type": "string", "format": "date-time"},
    "producer": _TEXT,
    "schemaURL": _TEXT,
}
_USES = {"inputs": _used(inputFacets=_FACETS), "outputs": _used(outputFacets=_FACETS)}
_RUN_EVENT = _object(
    "eventTime",
    "run",
    "job",
    **_ALL,
    eventType={"enum": _TYPES},
    run=_object("runId", runId=_RUN_ID, facets=_FACETS),
    job=_named(),
    **_USES,
)
_JOB_EVENT = _object("eventTime", "job", **_ALL, job=_named(), **_USES)
_DATASET_EVENT = _object("eventTime", "dataset", **_ALL, dataset=_named())
_EVENT = {
    "description": "A run, job or dataset event of OpenLineage 2-0-2; https://openlineage.io has "
    "its schema.",
    "anyOf": [
        _RUN_EVENT,
        _JOB_EVENT | {"not": {"required": ["run"]}},
        _DATASET_EVENT | {"not": {"anyOf": [{"required": ["run"]}, {"required": ["job"]}]}},
    ],
}
_Event = Annotated[Any, Meta(extra_json_schema=_EVENT)]
_Events = Annotated[Any, Meta(extra_json_schema={"type": "array", "items": _EVENT})]
_PRODUCER = "https://example.com/experiment-metrics"
_SPEC = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs"
_STARTED = {
    "eventTime": "2026-10-25T18:00:00Z",
    "eventType": "START",
    "producer": _PRODUCER,
    "schemaURL": f"{_SPEC}/RunEvent",
    "run": {
        "runId": "01990000-0000-7000-8000-000000000001",
        "facets": {
            "lineagegraph": {
                "_producer": _PRODUCER,
                "_schemaURL": f"{_SPEC}/RunFacet",
                "partition": {"region": "JP"},
            }
        },
    },
    "job": {
        "namespace": "experimentation",
        "name": "daily_experiment_metrics_workflow.calculate_aggregate_experiment_metrics",
    },
    "inputs": [{"namespace": "s3://experiments", "name": "daily_customer_metrics"}],
    "outputs": [],
}
_COMPLETED = _STARTED | {
    "eventTime": "2026-10-25T18:20:00Z",
    "eventType": "COMPLETE",
    "outputs": [{"namespace": "s3://experiments", "name": "aggregate_experiment_metrics"}],
}
_UNAVAILABLE = error_reply(
    503,
    "EventsUnavailable",
    "Neo4j is away or busy, too many events wait, or the server is stopping: send again later. "
    "While Neo4j is away, the valid events are kept on disk as well.",
    Retry_After=RETRY_AFTER,
)
# OpenLineage's HTTP transports add the parameters of their setting `urlParams`, for gateways.
_FOR_GATEWAYS = True
OPERATIONS = tagged(
    "events",
    post(
        "/api/v1/lineage",
        "postEvent",
        "Take one OpenLineage event.",
        Reply(
            "The event is in the graph; faults that it was taken with are listed.",
            EventAnswer,
            201,
        ),
        body=Body(_Event, _COMPLETED),
        also=(_UNAVAILABLE,),
        description="Answers when the event is in the graph. The same event again changes nothing. "
        "The body may be gzip (Content-Encoding).",
        takes_any=_FOR_GATEWAYS,
    ),
    post(
        "/api/v1/lineage/batch",
        "postEvents",
        "Take an array of OpenLineage events, each on its own.",
        Reply("The outcome of the events; those that did not fail are in the graph.", BatchAnswer),
        body=Body(_Events, [_STARTED, _COMPLETED]),
        also=(_UNAVAILABLE,),
        takes_any=_FOR_GATEWAYS,
    ),
)
