"""OpenLineage events for tests, as a producer sends them."""

from datetime import UTC, datetime
from typing import Any

from lineagegraph.model.runs.ids import new_id


def run_event(
    job: str,
    event_type: str = "COMPLETE",
    *,
    run_id: str | None = None,
    at: datetime | None = None,
    parent: tuple[str, str] | None = None,
    namespace: str = "default",
    inputs: tuple[tuple[str, str], ...] = (),
    outputs: tuple[tuple[str, str], ...] = (),
) -> dict[str, Any]:
    """An event about a run; `parent` is the id of the parent's run and its job's name."""
    facets: dict[str, Any] = {}
    if parent:
        job_ref = {"namespace": namespace, "name": parent[1]}
        facets["parent"] = {"run": {"runId": parent[0]}, "job": job_ref}
    return {
        "eventTime": (at or datetime.now(UTC)).isoformat(),
        "eventType": event_type,
        "producer": "https://example.org/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run_id or new_id(), "facets": facets},
        "job": {"namespace": namespace, "name": job, "facets": {}},
        "inputs": [{"namespace": ns, "name": name} for ns, name in inputs],
        "outputs": [{"namespace": ns, "name": name} for ns, name in outputs],
    }


def job_event(job: str, *, job_type: str, namespace: str = "default") -> dict[str, Any]:
    """An event that declares a job."""
    return {
        "eventTime": datetime.now(UTC).isoformat(),
        "producer": "https://example.org/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent",
        "job": {"namespace": namespace, "name": job, "facets": {"jobType": {"jobType": job_type}}},
        "inputs": [],
        "outputs": [],
    }
